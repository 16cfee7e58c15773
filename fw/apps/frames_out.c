// SPDX-License-Identifier: BSD-2-Clause
/*
 * frames_out.c - the ME process that sends the frames of "frames-out" at the wire ports
 * (nfp_chan_frames.h), each when its time has come.
 *
 * A receive ends at any element, so the last record may not be whole. It is kept until the next
 * receive brings its rest, or a host begins anew.
 */
#include <nfpchan/nfp_chan_frames.h>
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <pkt/pkt.h>

#include "chan.h"

#define CHUNK	32768		/* bytes of a receive at most */
#define KEPT	(NFP_FRAMES_SEND_MAX + 2 * NFP_FRAMES_ELEM)	/* of a record that is not whole */

#define SIG_SENT	1
#define SIG_TIME	2

ctassert(NFP_FRAMES_SEND_MAX == PKT_SEND_MAX);

__export __emem __align64 uint8_t frames_out_buf[KEPT + CHUNK];

/**
 * struct out - the stream
 * @start_ns: the card's time when the host began
 * @skip: bytes to come that belong to a record which is not sent
 */
static __shared __lmem struct {
	uint64_t start_ns;
	uint32_t skip;
} out;

static uint64_t card_ns(void)
{
	return me_tsc_read() * ME_TSC_NS;
}

static __swaps struct nfp_frames_hdr head(uint32_t at)
{
	__xread struct nfp_frames_hdr in;
	struct nfp_frames_hdr hdr;

	mem_read64(&in, emem40(frames_out_buf + at), sizeof(in));
	hdr = in;
	return hdr;
}

static int begins(const struct nfp_frames_hdr *hdr)
{
	return hdr->kind == NFP_FRAMES_START && !hdr->caplen &&
	       le64_to_cpu(hdr->ns) == NFP_FRAMES_SYNC;
}

/* Wait until @ns nanoseconds after the start, but not longer than a host may be gone. */
static __swaps void wait_until(uint64_t ns)
{
	uint64_t passed = card_ns() - out.start_ns;
	SIGNAL alarm;

	__assign_relative_register(&alarm, SIG_TIME);
	if (ns > passed + NFP_FRAMES_WAIT_NS)
		ns = passed + NFP_FRAMES_WAIT_NS;
	while (ns && passed < ns) {
		uint64_t cycles = (ns - passed) * ME_MHZ / 1000 + 1;

		set_alarm(cycles < ME_ALARM_MAX ? (uint32_t)cycles : ME_ALARM_MAX, &alarm);
		wait_for_all(&alarm);
		passed = card_ns() - out.start_ns;
	}
}

static __swaps void send(const struct nfp_frames_hdr *hdr, uint32_t at)
{
	SIGNAL sent;

	if (hdr->kind != NFP_FRAMES_FRAME || hdr->port >= PKT_PORTS)
		return;
	wait_until(le64_to_cpu(hdr->ns));
	__assign_relative_register(&sent, SIG_SENT);
	__pkt_nbi_send(emem40(frames_out_buf + at + sizeof(*hdr)), le16_to_cpu(hdr->caplen),
		       hdr->port, sig_done, &sent);
	wait_for_all(&sent);
}

/* Send the records from @at to @end. Return: where the rest begins, which is not whole. */
static __swaps uint32_t records(uint32_t at, uint32_t end)
{
	struct nfp_frames_hdr hdr;
	uint32_t caplen, size;

	for (; at < end; at += size) {
		hdr = head(at);
		caplen = le16_to_cpu(hdr.caplen);
		size = NFP_FRAMES_ROOM(caplen);
		if (begins(&hdr)) {
			out.start_ns = card_ns();
			continue;
		}
		/* A frame that no port sends is left out. */
		if (caplen > NFP_FRAMES_SEND_MAX) {
			if (size > end - at) {
				out.skip = size - (end - at);
				return end;
			}
			continue;
		}
		if (size > end - at)
			break;
		send(&hdr, at);
	}
	return at;
}

void frames_out_main(void)
{
	struct nfp_frames_hdr first;
	uint32_t at, kept = 0, end;

	chan_attach();
	for (;;) {
		end = kept + chan_recv(CHAN_ID_FRAMES_OUT, emem40(frames_out_buf + kept), CHUNK);
		/* A receive has bytes of one pipe, so a new host's record is the first of it. */
		at = 0;
		first = head(kept);
		if (begins(&first)) {
			at = kept;
			out.skip = 0;
		}
		if (out.skip) {
			at = out.skip < end ? out.skip : end;
			out.skip -= at;
		}
		at = records(at, end);
		kept = end - at;
		if (kept && at)
			mem_copy(emem40(frames_out_buf), emem40(frames_out_buf + at), kept);
	}
}
