// SPDX-License-Identifier: BSD-2-Clause
/*
 * frames_stream.c - the streams to the host of a capture.
 *
 * Each has two buffers: one collects records while the other one is sent. So a frame goes at once if
 * the host keeps up, and many go with one DMA if it does not.
 *
 * A process has one send at a time, and a send waits while the ring is full. So each stream has a
 * context that sends: that of frames.c for stream 0, and one with frames_send_main() for each other.
 * A reader that does not keep up makes its own stream wait, and no other.
 */
#include <nfpchan/nfp_chan_frames.h>
#include <nfp/me.h>
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "frames.h"

#define BUF	131072	/* bytes; the largest record has 65552 */

ctassert(CHAN_ID_FRAMES_3 == CHAN_ID_FRAMES + NFP_FRAMES_STREAMS - 1);

__export __emem __align64 uint8_t frames_buf[NFP_FRAMES_STREAMS][2][BUF];

/**
 * struct stream - records on their way to a stream
 * @filling: the buffer that gets records
 * @sending: the other buffer is being sent
 * @fill: bytes in @filling
 * @len: bytes that are being sent
 * @untold: for each port, drops that no record has told yet
 * @drop_ns: likewise, time of the last of them
 */
static __shared __lmem struct {
	uint8_t filling;
	uint8_t sending;
	uint32_t fill;
	uint32_t len;
	uint32_t untold[PKT_PORTS];
	uint64_t drop_ns[PKT_PORTS];
} streams[NFP_FRAMES_STREAMS];

void frames_stream_clear(unsigned int stream)
{
	unsigned int port;

	streams[stream].fill = 0;
	for (port = 0; port < PKT_PORTS; port++)
		streams[stream].untold[port] = 0;
}

int frames_stream_put(unsigned int stream, const struct nfp_frames_hdr *hdr,
		      const __mem40 void *data)
{
	uint32_t caplen = le16_to_cpu(hdr->caplen);
	uint32_t size = NFP_FRAMES_ROOM(caplen), end = sizeof(*hdr) + caplen;
	__xwrite struct nfp_frames_hdr out;
	__mem40 uint8_t *at;

	if (size > BUF - streams[stream].fill)
		return 0;
	at = emem40(&frames_buf[stream][streams[stream].filling][streams[stream].fill]);
	out = *hdr;
	mem_write64(&out, at, sizeof(out));
	if (caplen)
		mem_copy(at + sizeof(*hdr), data, caplen);
	if (end < size)
		mem_zero(at + end, size - end);
	streams[stream].fill += size;
	return 1;
}

int frames_stream_tell(unsigned int stream)
{
	struct nfp_frames_hdr hdr;
	unsigned int port;

	for (port = 0; port < PKT_PORTS; port++) {
		if (!streams[stream].untold[port])
			continue;
		hdr.kind = NFP_FRAMES_DROPS;
		hdr.port = (uint8_t)port;
		hdr.caplen = 0;
		hdr.len = cpu_to_le32(streams[stream].untold[port]);
		hdr.ns = cpu_to_le64(streams[stream].drop_ns[port]);
		if (!frames_stream_put(stream, &hdr, NULL))
			return 0;
		streams[stream].untold[port] = 0;
	}
	return 1;
}

int frames_stream_put_frame(unsigned int stream, const struct nfp_frames_hdr *hdr,
			    const __mem40 void *data)
{
	return frames_stream_tell(stream) && frames_stream_put(stream, hdr, data);
}

void frames_stream_miss(unsigned int stream, unsigned int port, uint64_t ns)
{
	streams[stream].untold[port]++;
	streams[stream].drop_ns[port] = ns;
}

static __mem40 uint8_t *full_buffer(unsigned int stream)
{
	return emem40(frames_buf[stream][streams[stream].filling ^ 1]);
}

void frames_stream_send(unsigned int stream, SIGNAL *sent)
{
	if (streams[stream].sending || !streams[stream].fill)
		return;
	streams[stream].sending = 1;
	streams[stream].len = streams[stream].fill;
	streams[stream].filling ^= 1;
	streams[stream].fill = 0;
	if (stream)
		signal_ctx(FRAMES_CTX + stream, SIG_STREAM);
	else
		chan_send_post(CHAN_ID_FRAMES, full_buffer(0), streams[0].len, sent);
}

void frames_stream_sent(void)
{
	streams[0].sending = 0;
}

void frames_send_main(void)
{
	unsigned int stream = ctx() - FRAMES_CTX;
	SIGNAL full;

	__assign_relative_register(&full, SIG_STREAM);
	chan_attach();
	for (;;) {
		wait_for_all(&full);
		chan_send(CHAN_ID_FRAMES + stream, full_buffer(stream), streams[stream].len);
		streams[stream].sending = 0;
		signal_ctx(FRAMES_CTX, SIG_STREAM);
	}
}
