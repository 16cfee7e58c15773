// SPDX-License-Identifier: BSD-2-Clause
/*
 * frames.c - the ME process that receives all packets of the wire ports. It copies those that the
 * host captures to the channel "frames" (nfp_chan_frames.h), and passes each on to the flow meter.
 *
 * A frame that does not fit in a buffer of its stream (frames_stream.c) is dropped and counted. The
 * context never waits for room in a stream.
 *
 * The flow meter waits when "flows" has no room, and takes no packet. Then this process waits as
 * well, and the MAC pauses the wire. A capture is not to wait: it lets packets pass by the meter,
 * which counts them as dropped, if nobody has "flows" open, or if the meter has waited for long.
 */
#include <nfpchan/nfp_chan_frames.h>
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <std/reg_utils.h>

#include "chan.h"
#include "frames.h"

#define PATIENCE_NS	100000000ull	/* for the flow meter, while its channel is open */

/*
 * Packets wait in their buffers while the flow meter waits. A capture is not to begin with these old
 * ones: it begins when no packet has come for QUIET cycles (10 us), or after OLD packets.
 */
#define QUIET		8000
#define OLD		4096

ctassert(sizeof(struct nfp_frames_hdr) == NFP_FRAMES_ELEM);
ctassert(sizeof(struct nfp_frames_req) == 24);
ctassert(sizeof(struct nfp_frames_insn) == sizeof(struct cbpf));
ctassert(NFP_FRAMES_PORTS == PKT_PORTS);

__export __emem __align8 uint8_t frames_req[sizeof(struct nfp_frames_req) +
					    NFP_FRAMES_INSNS * sizeof(struct nfp_frames_insn)];

/**
 * struct capture - what is captured, and what has become of it
 * @on: frames are copied
 * @ports: bit mask of ports
 * @streams: streams that get frames
 * @insns: instructions of the filter
 * @old: packets that came before the capture: so many more may be old ones
 * @sample: copy one in so many
 * @skip: accepted frames until the next one is copied
 * @snap: bytes of a frame to copy, at most
 * @answer: NFP_FRAMES_START or _TOTALS is to be sent when there is room
 * @unanswered: bit mask of the streams to which it is to be sent
 * @error: of START
 * @where: the instruction that is refused
 * @token: of the answer
 * @seen: for each port, as in struct nfp_frames_totals
 * @accepted: likewise
 * @dropped: likewise
 * @lost: likewise, before START
 * @waits_ns: since when the flow meter takes no packet; 0: it does
 */
static __shared __lmem struct {
	uint8_t on;
	uint8_t ports;
	uint8_t streams;
	uint16_t insns;
	uint32_t old;
	uint32_t sample;
	uint32_t skip;
	uint32_t snap;
	uint8_t answer;
	uint8_t unanswered;
	uint8_t error;
	uint16_t where;
	uint64_t token;
	uint64_t waits_ns;
	uint64_t seen[PKT_PORTS];
	uint64_t accepted[PKT_PORTS];
	uint64_t dropped[PKT_PORTS];
	uint64_t lost[PKT_PORTS];
} cap;

static uint64_t card_ns(void)
{
	return me_tsc_read() * ME_TSC_NS;
}

/* ---- answers ---- */

__export __emem __align8 struct nfp_frames_totals frames_totals;

static __swaps void fill_totals(void)
{
	unsigned int port;

	for (port = 0; port < PKT_PORTS; port++) {
		uint64_t copied = cap.accepted[port] - cap.dropped[port];

		frames_totals.port[port].seen = cpu_to_le64(cap.seen[port]);
		frames_totals.port[port].accepted = cpu_to_le64(cap.accepted[port]);
		frames_totals.port[port].copied = cpu_to_le64(copied);
		frames_totals.port[port].dropped = cpu_to_le64(cap.dropped[port]);
		frames_totals.port[port].lost = cpu_to_le64(mac_port_lost(port) - cap.lost[port]);
	}
}

static __swaps int put_answer(unsigned int stream)
{
	struct nfp_frames_hdr hdr;

	hdr.kind = cap.answer;
	hdr.port = 0;
	hdr.len = 0;
	hdr.ns = cpu_to_le64(cap.token);
	hdr.caplen = 0;
	if (cap.answer == NFP_FRAMES_TOTALS) {
		fill_totals();
		hdr.caplen = cpu_to_le16(sizeof(frames_totals));
	} else {
		hdr.port = cap.error;
		hdr.len = cpu_to_le32(cap.where);
	}
	return frames_stream_put(stream, &hdr, emem40(&frames_totals));
}

/* Tell what waits for room, and send what there is. */
static __swaps void flush(SIGNAL *sent)
{
	unsigned int i;

	for (i = 0; i < cap.streams; i++) {
		if (frames_stream_tell(i) && cap.unanswered & 1 << i && !cap.old && put_answer(i))
			cap.unanswered &= ~(1 << i);
		frames_stream_send(i, sent);
	}
}

/* ---- packets ---- */

/* Does the host capture this frame? Return: how many bytes of it, or -1. */
static __swaps int32_t wanted(const struct pkt_rx *rx)
{
	uint32_t n = rx->caplen, most;

	if (!(cap.ports & 1 << rx->port))
		return -1;
	if (cap.insns) {
		most = frames_bpf_run(rx->data, rx->caplen, rx->len);
		if (!most)
			return -1;
		n = most < n ? most : n;
	}
	if (cap.skip) {
		cap.skip--;
		return -1;
	}
	cap.skip = cap.sample - 1;
	return (int32_t)(cap.snap < n ? cap.snap : n);
}

/* The ports receive from the first capture on, so that it has the first frame. */
static __swaps void begin(void)
{
	unsigned int port;

	cap.old = 0;
	for (port = 0; port < PKT_PORTS; port++)
		mac_port_rx(port, 1);
}

static __swaps void capture(const struct pkt_rx *rx)
{
	struct nfp_frames_hdr hdr;
	unsigned int stream;
	int32_t caplen;

	cap.seen[rx->port]++;
	caplen = wanted(rx);
	if (caplen < 0)
		return;
	cap.accepted[rx->port]++;
	hdr.kind = NFP_FRAMES_FRAME;
	hdr.port = (uint8_t)rx->port;
	hdr.caplen = cpu_to_le16(caplen);
	hdr.len = cpu_to_le32(rx->len);
	hdr.ns = cpu_to_le64(rx->ts_ns);
	stream = frames_stream_of(rx, cap.streams);
	if (frames_stream_put_frame(stream, &hdr, rx->data))
		return;
	cap.dropped[rx->port]++;
	frames_stream_miss(stream, rx->port, rx->ts_ns);
}

/* Return: the first stream, from @i on, that the host has not opened, or the number of streams. */
static unsigned int closed_stream(unsigned int i)
{
	while (i < cap.streams && chan_receivers(CHAN_ID_FRAMES + i))
		i++;
	return i;
}

static __swaps void packet(const struct pkt_rx *rx)
{
	cap.on &= closed_stream(0) == cap.streams;
	if (cap.old > 1)
		cap.old--;
	else if (cap.old)
		begin();
	else if (cap.on)
		capture(rx);
}

static __swaps int meter_takes(const struct pkt_rx *rx)
{
	if (flow_queue_put(rx))
		return 1;
	ctx_yield();
	return flow_queue_put(rx);
}

/* Pass the packet on to the flow meter. Return: 0 if it has to wait. */
static __swaps int pass_on(const struct pkt_rx *rx)
{
	if (meter_takes(rx)) {
		cap.waits_ns = 0;
		return 1;
	}
	if (!cap.waits_ns)
		cap.waits_ns = card_ns();
	if (!cap.on ||
	    (chan_receivers(CHAN_ID_FLOWS) && card_ns() - cap.waits_ns < PATIENCE_NS))
		return 0;
	flow_missed(1);
	pkt_free(rx);
	return 1;
}

/* ---- requests ---- */

static __swaps unsigned int set_filter(unsigned int n)
{
	const __mem40 uint8_t *at = emem40(frames_req + sizeof(struct nfp_frames_req));
	__xread struct nfp_frames_insn in;
	struct nfp_frames_insn raw;
	unsigned int err;
	struct cbpf insn;

	for (cap.where = 0; cap.where < n; cap.where++, at += sizeof(in)) {
		mem_read64(&in, at, sizeof(in));
		raw = in;
		insn.code = le16_to_cpu(raw.code);
		insn.jt = raw.jt;
		insn.jf = raw.jf;
		insn.k = le32_to_cpu(raw.k);
		err = frames_bpf_set(cap.where, n, &insn);
		if (err)
			return err;
	}
	cap.where = 0;
	return NFP_FRAMES_OK;
}

static __swaps unsigned int start(const struct nfp_frames_req *req, uint32_t len)
{
	uint32_t insns = le16_to_cpu(req->insns), port;

	cap.where = 0;
	cap.ports = req->ports;
	cap.snap = le32_to_cpu(req->snap);
	cap.sample = le32_to_cpu(req->sample);
	cap.insns = (uint16_t)insns;
	cap.skip = 0;
	cap.streams = req->streams ? req->streams : 1;
	if (!cap.snap || cap.snap > NFP_FRAMES_SNAP_MAX || !cap.sample ||
	    cap.streams > NFP_FRAMES_STREAMS || cap.ports >> PKT_PORTS || insns > NFP_FRAMES_INSNS ||
	    len != sizeof(*req) + insns * sizeof(struct nfp_frames_insn))
		return NFP_FRAMES_BAD_REQUEST;
	for (port = 0; port < PKT_PORTS; port++) {
		cap.seen[port] = 0;
		cap.accepted[port] = 0;
		cap.dropped[port] = 0;
		cap.lost[port] = mac_port_lost(port);
	}
	/* Without a reader of "frames" nobody would see why. */
	cap.where = (uint16_t)closed_stream(1);
	if (cap.where < cap.streams)
		return NFP_FRAMES_BAD_STREAM;
	return set_filter(insns);
}

static __swaps void request(uint32_t len, SIGNAL *tick)
{
	__xread struct nfp_frames_req in;
	struct nfp_frames_req req;
	uint32_t op, i;

	if (len < sizeof(req))
		return;
	mem_read64(&in, emem40(frames_req), sizeof(in));
	req = in;
	op = le32_to_cpu(req.op);
	if (op != NFP_FRAMES_OP_START && op != NFP_FRAMES_OP_TOTALS && op != NFP_FRAMES_OP_STOP)
		return;		/* an unknown request gets no answer */
	cap.token = le64_to_cpu(req.token);
	cap.answer = NFP_FRAMES_TOTALS;
	cap.unanswered = (1 << cap.streams) - 1;
	if (op == NFP_FRAMES_OP_TOTALS)
		return;
	cap.on = 0;
	cap.old = 0;
	if (op == NFP_FRAMES_OP_STOP)
		return;
	cap.answer = NFP_FRAMES_START;
	for (i = 0; i < NFP_FRAMES_STREAMS; i++)
		frames_stream_clear(i);		/* of an earlier capture */
	cap.error = (uint8_t)start(&req, len);
	if (cap.error != NFP_FRAMES_OK)
		cap.streams = 1;
	cap.unanswered = (1 << cap.streams) - 1;
	if (cap.error != NFP_FRAMES_OK)
		return;
	cap.on = 1;
	cap.old = OLD;
	set_alarm(QUIET, tick);
}

void frames_main(void)
{
	SIGNAL sig_pkt, sig_room, sig_tick, sig_stream, sig_ctl, sig_open, sig_sent;
	__xread struct pkt_rx in;
	struct pkt_rx rx;
	int held = 0;

	__assign_relative_register(&sig_pkt, SIG_PKT);
	__assign_relative_register(&sig_room, SIG_ROOM);
	__assign_relative_register(&sig_tick, SIG_TICK);
	__assign_relative_register(&sig_stream, SIG_STREAM);
	__assign_relative_register(&sig_sent, CHAN_SIG_SEND);
	chan_open_bind(&sig_open);
	cap.streams = 1;
	chan_attach();
	__pkt_nbi_recv(&in, sig_done, &sig_pkt);
	chan_recv_post(CHAN_ID_FRAMES_CTL, emem40(frames_req), sizeof(frames_req), &sig_ctl);
	for (;;) {
		wait_for_any(&sig_pkt, &sig_room, &sig_tick, &sig_stream, &sig_ctl, &sig_open,
			     &sig_sent);
		/* A new host: the one before has closed "frames". */
		if (signal_test(&sig_open)) {
			cap.on = 0;
			cap.old = 0;
		}
		if (signal_test(&sig_sent))
			frames_stream_sent();
		signal_test(&sig_stream);
		if (signal_test(&sig_ctl)) {
			request(chan_recv_len(), &sig_tick);
			chan_recv_post(CHAN_ID_FRAMES_CTL, emem40(frames_req), sizeof(frames_req),
				       &sig_ctl);
		}
		if (signal_test(&sig_pkt)) {
			rx = in;
			packet(&rx);
			held = 1;
		}
		if (signal_test(&sig_tick) && !held && cap.old)
			begin();
		flush(&sig_sent);
		signal_test(&sig_room);
		if (held && pass_on(&rx)) {
			held = 0;
			__pkt_nbi_recv(&in, sig_done, &sig_pkt);
			if (cap.old)
				set_alarm(QUIET, &sig_tick);
		} else if (held && cap.on) {
			set_alarm(ME_ALARM_MAX, &sig_tick);
		}
	}
}
