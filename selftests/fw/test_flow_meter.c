// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_flow_meter.c - the flow meter, with generated packets at a wire. Each
 * test checks that every packet is counted.
 */
#include <nfpchan/nfp_chan_flow.h>

#include <errno.h>
#include <time.h>
#include "fw_host.h"
#include "fw_wire.h"
#include "random.h"

#define OK	NFP_CHAN_FW_OK
#define SEC	1000000000ull

struct meter {
	struct fw_host h;
	struct fw_pipe flows, ctl;
	struct fw_wire wire;
	struct nfp_flow_record last;
	struct nfp_flow_totals totals;
	uint64_t records;
	uint64_t packets;	/* sum of the packets in all records received */
	uint64_t bytes;		/* and of their bytes */
	uint64_t by_reason[7];
	bool have_totals;
};

static int setup(void **state)
{
	struct meter *m = calloc(1, sizeof(*m));

	fw_host_start(&m->h);
	assert_int_equal(fw_hello(&m->h), OK);
	board_wire(m->h.host->b, 0, &fw_wire_ops, &m->wire);
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct meter *m = *state;

	fw_host_stop(&m->h);
	free(m);
	return 0;
}

/* The flow meter takes packets after "flows" was opened. Opening "flow-ctl" is not enough. */
static void open_all(struct meter *m)
{
	assert_int_equal(fw_open(&m->ctl, &m->h, 1, CHAN_ID_FLOW_CTL, 12), OK);
	host_run(m->h.host);
	assert_int_equal(m->wire.n, 0);
	assert_int_equal(fw_open(&m->flows, &m->h, 0, CHAN_ID_FLOWS, 17), OK);
}

static void take(struct meter *m, const uint8_t *buf)
{
	if (buf[0] == NFP_FLOW_TOTALS) {
		memcpy(&m->totals, buf, sizeof(m->totals));
		m->have_totals = true;
		/* No record was lost. Further records may follow. */
		assert_int_equal(m->totals.records, m->records);
		return;
	}
	assert_int_equal(buf[0], NFP_FLOW_RECORD);
	memcpy(&m->last, buf, sizeof(m->last));
	assert_in_range(m->last.reason, NFP_FLOW_END_FIN, NFP_FLOW_END_ACTIVE);
	assert_true(m->last.packets > 0);
	assert_true(m->last.first_ns <= m->last.last_ns);
	m->records++;
	m->packets += m->last.packets;
	m->bytes += m->last.bytes;
	m->by_reason[m->last.reason]++;
}

/* Receive until no record is left. Giving room back makes the card show further records. */
static unsigned int drain(struct meter *m)
{
	unsigned int n = 0, before;
	uint8_t buf[80];

	do {
		before = n;
		for (; fw_recv(&m->flows, buf, sizeof(buf)) == 80; n++)
			take(m, buf);
		fw_ring_run(&m->flows);
	} while (n != before);
	return n;
}

static bool answered(void *arg)
{
	drain(arg);
	return ((struct meter *)arg)->have_totals;
}

/* For NFP_FLOW_OP_TIMES, @arg and @arg2 are the idle and the active time-out. */
static void request_with(struct meter *m, uint32_t op, uint32_t arg, uint32_t arg2)
{
	struct nfp_flow_req req = { op, arg, 0x1234 + op, arg2 };

	m->have_totals = false;
	fw_send(&m->ctl, &req, sizeof(req));
	assert_int_equal(host_run_until(m->h.host, answered, m, 10000), 0);
	assert_int_equal(m->totals.token, req.token);
}

static void request(struct meter *m, uint32_t op, uint32_t quiet_us)
{
	request_with(m, op, quiet_us, 0);
}

/* Every packet that was seen is in exactly one counter. */
static void check_sum(const struct nfp_flow_totals *t)
{
	assert_int_equal(t->packets + t->not_ip + t->truncated + t->malformed + t->dropped,
			 t->seen);
}

/* Check the totals: each packet was seen, and those of the records add up. */
static void check_law(struct meter *m, uint64_t seen)
{
	const struct nfp_flow_totals *t = &m->totals;

	check_sum(t);
	assert_int_equal(t->seen, seen);
	assert_true(m->packets <= t->packets);
	if (t->active)
		return;
	assert_int_equal(m->packets, t->packets);
	assert_int_equal(m->bytes, t->bytes);
}

/* Flush the table. After that, @records records of @seen packets have come since the start. */
static void flush(struct meter *m, uint64_t records, uint64_t seen)
{
	request(m, NFP_FLOW_OP_FLUSH, 0);
	assert_int_equal(m->records, records);
	check_law(m, seen);
}

/* Open the channels, and let the wire deliver @limit frames that @next makes. */
static void begin(struct meter *m, bool (*next)(struct fw_wire *, uint64_t, struct board_frame *),
		  uint64_t limit)
{
	m->wire.next = next;
	m->wire.limit = limit;
	open_all(m);
	host_run(m->h.host);
}

/* ---- wires ---- */

static bool ten_flows(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)(n % 10), 17, 0);
	f->ts_ns = 5 * SEC + n * 1000;
	return true;
}

static void flush_reports_all(void **state)
{
	struct meter *m = *state;

	m->wire.next = ten_flows;
	m->wire.limit = 1000;
	host_run(m->h.host);
	/* The port takes no packet before "flows" is opened. */
	assert_int_equal(m->wire.n, 0);
	open_all(m);
	host_run(m->h.host);
	assert_int_equal(m->wire.n, 1000);
	request(m, NFP_FLOW_OP_TOTALS, 0);
	assert_int_equal(m->records, 0);
	assert_int_equal(m->totals.active, 10);
	check_law(m, 1000);
	request(m, NFP_FLOW_OP_FLUSH, 0);
	assert_int_equal(m->records, 10);
	assert_int_equal(m->totals.active, 0);
	check_law(m, 1000);
	assert_int_equal(m->last.reason, NFP_FLOW_END_FLUSH);
	assert_int_equal(m->last.packets, 100);
	assert_int_equal(m->last.bytes, 4600);
	assert_int_equal(m->last.last_ns - m->last.first_ns, 990000);
	assert_int_equal(m->last.family, 4);
	assert_int_equal(m->last.proto, 17);
	assert_int_equal(ntohs(m->last.sport), 7);
	assert_int_equal(ntohs(m->last.dport), 9);
	assert_int_equal(m->last.vlan, NFP_FLOW_NO_VLAN);
	assert_int_equal(m->last.port, 0);
	assert_memory_equal(m->last.dst, "\x0a\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16);
	flush(m, 10, 1000);
}

static bool fin_and_rst(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	static const uint8_t flags[] = { 0x02, 0x10, 0x11, 0x02, 0x10, 0x14 };

	fw_frame(w->frame, n < 3, 6, flags[n % 6]);
	f->ts_ns = n;
	return true;
}

static void tcp_ends(void **state)
{
	struct meter *m = *state;

	begin(m, fin_and_rst, 6);
	drain(m);
	assert_int_equal(m->records, 2);
	assert_int_equal(m->by_reason[NFP_FLOW_END_FIN], 1);
	assert_int_equal(m->by_reason[NFP_FLOW_END_RST], 1);
	assert_int_equal(m->last.tcp_flags, 0x16);
	flush(m, 2, 6);
}

/* Packets of one flow at 0, 30 and 60.000000001 s, and a packet of another flow at 95 s. */
static bool with_gaps(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	static const uint64_t at[] = { 0, 30 * SEC, 60 * SEC + 1, 95 * SEC };

	fw_frame(w->frame, n == 3, 17, 0);
	f->ts_ns = at[n];
	return true;
}

static bool two_records(void *arg)
{
	struct meter *m = arg;

	drain(m);
	return m->records == 2;
}

static void idle_ends(void **state)
{
	struct meter *m = *state;

	begin(m, with_gaps, 3);
	drain(m);
	assert_int_equal(m->by_reason[NFP_FLOW_END_IDLE], 1);
	assert_int_equal(m->last.packets, 2);
	/* The packet at 95 s advances the time, so the sweep ends the first flow as idle. */
	m->wire.limit = 4;
	assert_int_equal(host_run_until(m->h.host, two_records, m, 10000), 0);
	assert_int_equal(m->by_reason[NFP_FLOW_END_IDLE], 2);
	flush(m, 3, 4);
}

/* Two flows. A packet of the first every 10 s, and one of the second after a pause of 90 s. */
static bool every_ten_seconds(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, n == 20 ? 2 : 1, 17, 0);
	w->frame[15] = (uint8_t)(n + 1);	/* type of service */
	w->frame[22] = (uint8_t)(n == 7 ? 3 : 64);	/* time to live */
	f->ts_ns = (n == 20 ? 28 : n) * 10 * SEC;
	return true;
}

static void time_outs_are_set(void **state)
{
	struct meter *m = *state;

	m->wire.next = every_ten_seconds;
	open_all(m);
	request_with(m, NFP_FLOW_OP_TIMES, 80000, 55000);
	m->wire.limit = 12;
	host_run(m->h.host);
	drain(m);
	/* Packets 0 to 5 lie within the 55 s, and packet 6 begins anew. */
	assert_int_equal(m->by_reason[NFP_FLOW_END_ACTIVE], 1);
	assert_int_equal(m->last.packets, 6);
	assert_int_equal(m->last.tos, 1);
	assert_int_equal(m->last.ttl, 64);
	/* A time of 0 stays as it is. */
	request_with(m, NFP_FLOW_OP_TIMES, 0, NFP_FLOW_NEVER);
	m->wire.limit = 20;
	host_run(m->h.host);
	drain(m);
	assert_int_equal(m->records, 1);
	request_with(m, NFP_FLOW_OP_TIMES, 0, 250000);
	m->wire.limit = 21;
	/* The first flow, with packets 6 to 19, is idle. */
	assert_int_equal(host_run_until(m->h.host, two_records, m, 10000), 0);
	assert_int_equal(m->by_reason[NFP_FLOW_END_IDLE], 1);
	flush(m, 3, 21);
}

/* A packet every 50 ms, of a random one of 300 flows: each flow has one every 15 s, on average. */
static bool random_flows(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	uint64_t x = n;

	fw_frame(w->frame, (uint32_t)(random_mix(&x) % 300), 17, 0);
	f->ts_ns = n * SEC / 20;
	return true;
}

/* A soak: while both time-outs change at random, each packet is in one record. */
static void time_outs_change(void **state)
{
	uint64_t seed = random_seed(1);
	struct meter *m = *state;

	begin(m, random_flows, 0);
	while (m->wire.limit < 40000) {
		uint32_t active = random_below(&seed, 60) * 1000;	/* 0: as it is */

		if (!random_below(&seed, 10))
			active = NFP_FLOW_NEVER;
		request_with(m, NFP_FLOW_OP_TIMES, 1 + random_below(&seed, 30000), active);
		check_law(m, m->wire.limit);
		m->wire.limit += 200;
		host_run(m->h.host);
	}
	request(m, NFP_FLOW_OP_FLUSH, 0);
	check_law(m, 40000);
	assert_int_equal(m->totals.active, 0);
	assert_true(m->by_reason[NFP_FLOW_END_IDLE] > 1000);
	assert_true(m->by_reason[NFP_FLOW_END_ACTIVE] > 1000);
}

/* Time stamps step back, as when captures follow each other: newer flows are not idle. */
static bool with_step(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	static const uint64_t at[] = { 100 * SEC, 1 * SEC, 2 * SEC };

	fw_frame(w->frame, n ? 4 : 3, 17, 0);
	f->ts_ns = at[n];
	return true;
}

static void time_steps_back(void **state)
{
	struct meter *m = *state;

	begin(m, with_step, 3);
	/* During the 300 ms of quiet the whole table is swept twice. */
	request(m, NFP_FLOW_OP_FLUSH, 300000);
	assert_int_equal(m->by_reason[NFP_FLOW_END_IDLE], 0);
	assert_int_equal(m->records, 2);
	check_law(m, 3);
}

static bool all_new(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)n, 17, 0);
	f->ts_ns = n;
	return true;
}

static void eviction(void **state)
{
	struct meter *m = *state;

	begin(m, all_new, 40000);
	drain(m);
	assert_true(m->by_reason[NFP_FLOW_END_EVICT] >= 40000 - 16384);
	request(m, NFP_FLOW_OP_TOTALS, 0);
	assert_int_equal(m->totals.active + m->records, 40000);
	check_law(m, 40000);
	flush(m, 40000, 40000);
}

static bool all_fin(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)n, 6, 0x11);
	f->ts_ns = n;
	return true;
}

/* While the host does not read, the wire is paused. No record is lost. */
static void full_channel(void **state)
{
	struct meter *m = *state;
	uint64_t held;

	begin(m, all_fin, 20000);
	fw_look(&m->flows);
	assert_int_equal(m->flows.note->seq, 1024);
	held = m->wire.n;
	assert_true(held < 20000);
	host_run(m->h.host);
	assert_int_equal(m->wire.n, held);
	assert_int_equal(fw_stat(&m->h, CHAN_ID_FLOWS).stalled, 1);
	/* The totals come while records and packets still wait. */
	request(m, NFP_FLOW_OP_TOTALS, 0);
	assert_true(m->totals.seen < 20000);
	check_sum(&m->totals);
	drain(m);
	flush(m, 20000, 20000);
}

/*
 * Records in the ring of a pipe that is closed are lost and counted. The next pipe gets the rest.
 */
static void receiver_changes(void **state)
{
	struct meter *m = *state;

	begin(m, all_fin, 3000);
	assert_int_equal(fw_close(&m->flows), OK);
	assert_int_equal(m->h.value, 1024);
	m->records = 1024;
	m->packets = 1024;
	m->bytes = 1024 * 46;
	assert_int_equal(fw_open(&m->flows, &m->h, 0, CHAN_ID_FLOWS, 17), OK);
	drain(m);
	flush(m, 3000, 3000);
	assert_int_equal(fw_stat(&m->h, CHAN_ID_FLOWS).dropped, 1024);
	assert_int_equal(fw_stat(&m->h, CHAN_ID_FLOWS).msgs, 3001);
}

/* Of five frames, one each is good, not IP, truncated, malformed, and too long. */
static bool odd_ones(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, 1, 17, 0);
	f->ts_ns = n;
	switch (n % 5) {
	case 1:
		w->frame[12] = 0x88;	/* not IP */
		break;
	case 2:
		f->caplen = 30;		/* truncated */
		break;
	case 3:
		w->frame[14] = 0x43;	/* malformed */
		break;
	case 4:
		f->caplen = 1 << 20;	/* larger than a packet buffer: the MAC drops the frame */
		f->len = 1 << 20;
		break;
	}
	return true;
}

static void every_kind_counted(void **state)
{
	struct meter *m = *state;

	begin(m, odd_ones, 500);
	request(m, NFP_FLOW_OP_FLUSH, 0);
	assert_int_equal(m->totals.packets, 100);
	assert_int_equal(m->totals.not_ip, 100);
	assert_int_equal(m->totals.truncated, 100);
	assert_int_equal(m->totals.malformed, 100);
	assert_int_equal(m->totals.dropped, 100);
	check_law(m, 500);
}

/*
 * Drain until the wire has delivered all frames. The flush that waits sends no record before that.
 */
static bool thirty_more(void *arg)
{
	struct meter *m = arg;

	drain(m);
	assert_int_equal(m->records, 0);
	return m->wire.n == m->wire.limit;
}

static void flush_when_quiet(void **state)
{
	struct nfp_flow_req req = { NFP_FLOW_OP_FLUSH, 30000, 99, 0 };
	struct meter *m = *state;
	struct board *b = m->h.host->b;
	uint64_t start = 0;

	begin(m, ten_flows, 10);
	fw_send(&m->ctl, &req, sizeof(req));
	for (int i = 0; i < 3; i++) {
		start = board_now_ns(b);
		m->wire.limit += 10;
		assert_int_equal(host_run_until(m->h.host, thirty_more, m, 1000), 0);
	}
	assert_int_equal(host_run_until(m->h.host, answered, m, 10000), 0);
	assert_true(board_now_ns(b) - start >= 28000000);
	assert_int_equal(m->records, 10);
	check_law(m, 40);
	/* The flow meter takes the next request after the flush. */
	request(m, NFP_FLOW_OP_TOTALS, 0);
	check_law(m, 40);
}

/* The last packet makes 1500 flows idle. Their records do not all fit in the channel. */
static bool then_later(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)n, 17, 0);
	f->ts_ns = n < 1500 ? 5 * SEC : 45 * SEC;
	return true;
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

/* While a record waits for room, packets wait too, so the wire does not count as quiet. */
static void flush_while_idle_end(void **state)
{
	struct nfp_flow_req req = { NFP_FLOW_OP_FLUSH, 200000, 99, 0 };
	struct meter *m = *state;
	struct timespec patience = { .tv_nsec = 250000000 };

	begin(m, then_later, 1500);
	fw_send(&m->ctl, &req, sizeof(req));
	m->wire.limit = 1501;
	/*
	 * Run until nothing moves, then wait for longer than the 200 ms of quiet. The flush must
	 * still include the last packet.
	 */
	assert_int_equal(host_run_until(m->h.host, never, NULL, 10000), -EAGAIN);
	nanosleep(&patience, NULL);
	assert_int_equal(host_run_until(m->h.host, answered, m, 10000), 0);
	assert_int_equal(m->records, 1501);
	check_law(m, 1501);
}

#define METER(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		METER(flush_reports_all),
		METER(tcp_ends),
		METER(idle_ends),
		METER(time_outs_are_set),
		METER(time_outs_change),
		METER(time_steps_back),
		METER(eviction),
		METER(full_channel),
		METER(receiver_changes),
		METER(every_kind_counted),
		METER(flush_when_quiet),
		METER(flush_while_idle_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
