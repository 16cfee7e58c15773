// SPDX-License-Identifier: BSD-2-Clause
/*
 * flowmeter.c - the flow meter: an ME process between the wire ports and the
 * channels "flows" and "flow-ctl".
 *
 * One context does everything, so it owns table and counters. Its packets come from frames.c. While
 * it waits for room in "flows" it takes no packets. Then the packet buffers fill, the MAC pauses the
 * wire, and no packet is lost if the source can wait, unless frames are captured (frames.c).
 *
 * The meter's time is the time of packets: their MAC time stamps, and while a port is quiet, the
 * last time stamp plus the time that has passed. Each port has a clock, because each may play a
 * capture of another time, and the clock steps back if the packets do. The microengine's alarm
 * advances the clocks of quiet ports, while there are flows or a pending request.
 */
#include <nfpchan/nfp_chan_flow.h>
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <pkt/pkt.h>

#include "chan.h"
#include "flow.h"
#include "frames.h"

/*
 * Buckets that a tick (1.3 ms) sweeps, so that the whole table is swept in 0.1 s. In addition one
 * bucket is swept after so many packets, for captures that are played faster than they were
 * taken.
 */
#define SWEEP_TICK	64
#define SWEEP_PACKETS	4

ctassert(sizeof(struct nfp_flow_record) == 80);
ctassert(sizeof(struct nfp_flow_totals) == 80);
ctassert(sizeof(struct nfp_flow_times) == sizeof(struct nfp_flow_req));

__export __emem __align8 struct nfp_flow_record flow_record;
__export __emem __align8 struct nfp_flow_totals flow_totals;
__export __emem __align8 union {
	struct nfp_flow_req req;
	struct nfp_flow_times times;
} flow_ctl;

/**
 * struct meter - the process' counters and clock
 * @received: packets that came from the ports
 * @flow_packets: packets in flows, without those in @dropped
 * @flow_bytes: bytes of these packets
 * @records: flow records that were put on the channel
 * @not_ip: packets with the verdict FLOW_NOT_IP
 * @truncated: packets with the verdict FLOW_TRUNCATED
 * @malformed: packets with the verdict FLOW_MALFORMED
 * @dropped: packets of flow records that were not delivered, and of flow_missed()
 * @clock: for each port: packet time in ns at its last packet or the last tick
 * @clock_ns: the card's time at the last tick, or at the pending request
 * @heard: bit mask of ports that had packets since then
 * @base_ns: the card's time when a tick last found that packets had come
 * @quiet_ns: time that the wire must be quiet before the pending request is answered
 * @pending: a request waits for a quiet wire
 * @ticking: the alarm is set
 */
static __shared __lmem struct {
	uint64_t received;
	uint64_t flow_packets;
	uint64_t flow_bytes;
	uint64_t records;
	uint64_t not_ip;
	uint64_t truncated;
	uint64_t malformed;
	uint64_t dropped;
	uint64_t clock[PKT_PORTS];
	uint64_t clock_ns;
	uint64_t base_ns;
	uint64_t quiet_ns;
	uint8_t heard;
	uint8_t pending;
	uint8_t ticking;
} meter;

static uint64_t card_ns(void)
{
	return me_tsc_read() * ME_TSC_NS;
}

/* ---- records ---- */

/* Packets wait during the send as well, so this time does not count as quiet. */
static __swaps int put(const __emem void *msg, uint32_t len)
{
	uint64_t since = card_ns();
	int ret = chan_send(CHAN_ID_FLOWS, emem40(msg), len);

	since = card_ns() - since;
	meter.clock_ns += since;
	meter.base_ns += since;
	return ret;
}

void flow_report(const __emem struct flow *f, unsigned int reason)
{
	__emem struct nfp_flow_record *r = &flow_record;

	r->type = NFP_FLOW_RECORD;
	r->reason = (uint8_t)reason;
	r->family = f->key.family;
	r->proto = f->key.proto;
	mem_copy(emem40(&r->sport), emem40(f->key.sport), 2);
	mem_copy(emem40(&r->dport), emem40(f->key.dport), 2);
	r->vlan = cpu_to_le16(f->key.vlan);
	r->vlan_inner = cpu_to_le16(f->key.vlan_inner);
	r->tcp_flags = f->tcp_flags;
	r->port = f->port;
	r->tos = f->tos;
	r->ttl = f->ttl;
	mem_copy(emem40(r->src), emem40(f->key.src), sizeof(r->src));
	mem_copy(emem40(r->dst), emem40(f->key.dst), sizeof(r->dst));
	r->packets = cpu_to_le64(f->packets);
	r->bytes = cpu_to_le64(f->bytes);
	r->first_ns = cpu_to_le64(f->first_ns);
	r->last_ns = cpu_to_le64(f->last_ns);
	if (put(r, sizeof(*r)) == CHAN_OK) {
		meter.records++;
		return;
	}
	meter.dropped += f->packets;
	meter.flow_packets -= f->packets;
	meter.flow_bytes -= f->bytes;
}

static __swaps void send_totals(void)
{
	__emem struct nfp_flow_totals *t = &flow_totals;
	uint64_t lost = 0, seen, dropped;
	unsigned int port;

	for (port = 0; port < PKT_PORTS; port++)
		lost += mac_port_lost(port);
	/* frames.c changes both (flow_missed()). */
	seen = meter.received + lost;
	dropped = meter.dropped + lost;
	mem_zero(emem40(t), sizeof(*t));
	t->type = NFP_FLOW_TOTALS;
	t->token = flow_ctl.req.token;
	t->packets = cpu_to_le64(meter.flow_packets);
	t->bytes = cpu_to_le64(meter.flow_bytes);
	t->records = cpu_to_le64(meter.records);
	t->not_ip = cpu_to_le64(meter.not_ip);
	t->truncated = cpu_to_le64(meter.truncated);
	t->malformed = cpu_to_le64(meter.malformed);
	t->dropped = cpu_to_le64(dropped);
	t->seen = cpu_to_le64(seen);
	t->active = cpu_to_le64(flow_table_active());
	put(t, sizeof(*t));
}

/* ---- packets ---- */

static __swaps void packet(const struct pkt_rx *rx)
{
	enum flow_verdict verdict;
	struct flow_pkt pkt;
	uint64_t ts = rx->ts_ns;
	uint32_t port = rx->port;

	verdict = flow_parse(rx->data, rx->caplen, rx->len, &pkt);
	/* Give the buffer back first, because the calls below may wait. */
	pkt_free(rx);
	meter.received++;
	meter.clock[port] = ts;
	meter.heard |= 1 << port;
	switch (verdict) {
	case FLOW_COUNTED:
		meter.flow_packets++;
		meter.flow_bytes += pkt.bytes;
		flow_table_add(&pkt, ts, port);
		break;
	case FLOW_NOT_IP:
		meter.not_ip++;
		break;
	case FLOW_TRUNCATED:
		meter.truncated++;
		break;
	case FLOW_MALFORMED:
		meter.malformed++;
		break;
	}
	if (!(meter.received % SWEEP_PACKETS))
		flow_table_sweep(meter.clock, 1);
}

void flow_missed(unsigned int n)
{
	meter.received += n;
	meter.dropped += n;
}

/* ---- time ---- */

static void clocks_on(uint64_t now)
{
	unsigned int port;

	for (port = 0; port < PKT_PORTS; port++)
		if (!(meter.heard & 1 << port))
			meter.clock[port] += now - meter.clock_ns;
	meter.heard = 0;
	meter.clock_ns = now;
}

/* ---- requests ---- */

static __swaps void answer(void)
{
	if (le32_to_cpu(flow_ctl.req.op) == NFP_FLOW_OP_FLUSH)
		flow_table_flush();
	send_totals();
}

/* A request has come. Return: whether it was handled, and the next may come. */
static __swaps int request(void)
{
	uint32_t op = le32_to_cpu(flow_ctl.req.op);

	if (op == NFP_FLOW_OP_TIMES) {
		flow_table_times(le32_to_cpu(flow_ctl.times.idle_ms),
				 le32_to_cpu(flow_ctl.times.active_ms));
		send_totals();
		return 1;
	}
	if (op != NFP_FLOW_OP_FLUSH && op != NFP_FLOW_OP_TOTALS)
		return 1;	/* an unknown request gets no answer */
	if (flow_ctl.req.quiet_us) {
		meter.quiet_ns = (uint64_t)le32_to_cpu(flow_ctl.req.quiet_us) * 1000;
		meter.base_ns = card_ns();
		clocks_on(meter.base_ns);
		meter.pending = 1;
		return 0;
	}
	answer();
	return 1;
}

/* Return: whether the pending request was answered. */
static __swaps int tick(void)
{
	uint64_t now = card_ns();

	if (meter.heard)
		meter.base_ns = now;
	clocks_on(now);
	flow_table_sweep(meter.clock, SWEEP_TICK);
	if (!meter.pending || card_ns() - meter.base_ns < meter.quiet_ns)
		return 0;
	meter.pending = 0;
	answer();
	return 1;
}

static __swaps void ports_on(void)
{
	unsigned int port;

	for (port = 0; port < PKT_PORTS; port++)
		mac_port_rx(port, 1);
}

static __swaps void post(SIGNAL *sig)
{
	chan_recv_post(CHAN_ID_FLOW_CTL, emem40(&flow_ctl), sizeof(flow_ctl), sig);
}

void flow_main(void)
{
	struct pkt_rx rx;
	SIGNAL sig_pkt, sig_ctl, sig_open, sig_tick;
	uint64_t seed;

	__assign_relative_register(&sig_pkt, SIG_PKT);
	__assign_relative_register(&sig_tick, SIG_TICK);
	chan_open_bind(&sig_open);
	chan_attach();
	seed = me_tsc_read() * 0x9e3779b97f4a7c15ull;
	flow_table_init((uint32_t)seed, (uint32_t)(seed >> 32));
	if (chan_receivers(CHAN_ID_FLOWS))
		ports_on();
	post(&sig_ctl);
	for (;;) {
		if (!meter.ticking && (meter.pending || flow_table_active())) {
			meter.ticking = 1;
			set_alarm(ME_ALARM_MAX, &sig_tick);
		}
		wait_for_any(&sig_pkt, &sig_ctl, &sig_open, &sig_tick);
		if (signal_test(&sig_pkt) && flow_queue_get(&rx))
			packet(&rx);
		if (signal_test(&sig_open))
			ports_on();
		if (signal_test(&sig_ctl) && request())
			post(&sig_ctl);
		if (signal_test(&sig_tick)) {
			meter.ticking = 0;
			if (tick())
				post(&sig_ctl);
		}
	}
}
