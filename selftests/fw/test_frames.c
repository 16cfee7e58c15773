// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_frames.c - the channels "frames" and "frames-ctl": which frames of a wire the card copies to
 * the host, and what it tells about the others.
 */
#include <nfpchan/nfp_chan_flow.h>
#include <nfpchan/nfp_chan_frames.h>

#include "fw_wire.h"
#include "ring_end.h"

#define MANY	4096
#define TOKEN	0x1122334455667788ull

/**
 * struct frames - a host with open channels
 * @h: the host
 * @in: "frames"
 * @ctl: "frames-ctl"
 * @wire: what is connected to each port
 * @hdr: records that have come since the last start()
 * @first: up to 64 bytes of each
 * @n: number of them
 * @synced: the answer to START has come
 * @totals: the last totals
 * @have: bytes in @buf, the beginning of a record
 * @buf: what was read
 */
struct frames {
	struct fw_host h;
	struct end in;
	struct fw_pipe ctl;
	struct fw_wire wire[BOARD_PORTS];
	struct nfp_frames_hdr hdr[MANY];
	uint8_t first[MANY][64];
	unsigned int n;
	bool synced;
	struct nfp_frames_totals totals;
	uint32_t have;
	uint8_t buf[1 << 18];
};

static int setup(void **state)
{
	struct frames *f = calloc(1, sizeof(*f));

	fw_host_start(&f->h);
	assert_int_equal(fw_hello(&f->h), NFP_CHAN_FW_OK);
	for (unsigned int i = 0; i < BOARD_PORTS; i++)
		board_wire(f->h.host->b, i, &fw_wire_ops, &f->wire[i]);
	assert_int_equal(fw_open(&f->ctl, &f->h, 1, CHAN_ID_FRAMES_CTL, 14), NFP_CHAN_FW_OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct frames *f = *state;

	fw_host_stop(&f->h);
	free(f);
	return 0;
}

/* ---- the host's side ---- */

static void got(struct frames *f, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	uint32_t size = NFP_FRAMES_ROOM(hdr->caplen) - sizeof(*hdr);

	for (uint32_t i = hdr->caplen; i < size; i++)
		assert_int_equal(data[i], 0);
	if (hdr->kind == NFP_FRAMES_TOTALS) {
		assert_int_equal(hdr->caplen, sizeof(f->totals));
		memcpy(&f->totals, data, sizeof(f->totals));
	}
	assert_true(f->n < MANY);
	memcpy(f->first[f->n], data, hdr->caplen < 64 ? hdr->caplen : 64);
	f->hdr[f->n++] = *hdr;
}

/* Take the records that are whole; before the answer to START, elements. */
static void parse(struct frames *f)
{
	struct nfp_frames_hdr hdr;
	uint32_t at = 0, size;

	for (; f->have - at >= sizeof(hdr); at += size) {
		memcpy(&hdr, f->buf + at, sizeof(hdr));
		size = sizeof(hdr);
		f->synced |= hdr.kind == NFP_FRAMES_START && hdr.ns == TOKEN;
		if (!f->synced)
			continue;
		size = NFP_FRAMES_ROOM(hdr.caplen);
		if (size > f->have - at)
			break;
		got(f, &hdr, f->buf + at + sizeof(hdr));
	}
	f->have -= at;
	memmove(f->buf, f->buf + at, f->have);
}

/* Take what is in the ring. False: nothing. */
static bool take(struct frames *f)
{
	int64_t n = ring_get_many(&f->in.r, f->buf + f->have,
				  (uint32_t)(sizeof(f->buf) - f->have) / NFP_FRAMES_ELEM);

	if (n <= 0)
		return false;
	f->have += (uint32_t)n * NFP_FRAMES_ELEM;
	parse(f);
	return true;
}

/* Take all that comes. */
static void drain(struct frames *f)
{
	do {
		while (take(f))
			;
		ring_flush(&f->in.r);
		ring_arm(&f->in.r);
		host_run(f->h.host);
	} while (take(f));
}

static bool answered(void *arg)
{
	drain(arg);
	return ((struct frames *)arg)->synced;
}

static void ask(struct frames *f, const struct nfp_frames_req *req, size_t len)
{
	fw_send_run(&f->ctl, req, (uint32_t)len);
}

static void start(struct frames *f, struct nfp_frames_req req)
{
	req.op = NFP_FRAMES_OP_START;
	req.token = TOKEN;
	req.snap = req.snap ?: NFP_FRAMES_SNAP_MAX;
	req.sample = req.sample ?: 1;
	req.ports = req.ports ?: 3;
	f->n = 0;
	f->have = 0;
	f->synced = false;
	ask(f, &req, sizeof(req));
	assert_int_equal(host_run_until(f->h.host, answered, f, 20000), 0);
}

static void open_frames(struct frames *f, unsigned int shift)
{
	end_open(&f->in, &f->h, 0, CHAN_ID_FRAMES, shift);
}

/* Let port @port receive @n more frames. */
static void receive(struct frames *f, unsigned int port, uint64_t n)
{
	f->wire[port].limit += n;
	host_run(f->h.host);
}

/* Stop, and check the totals against the records: each frame is copied, or dropped and told. */
static void stop(struct frames *f)
{
	struct nfp_frames_req req = { .op = NFP_FRAMES_OP_STOP, .token = TOKEN + 1 };
	uint64_t copied[2] = { 0 }, dropped[2] = { 0 };

	ask(f, &req, sizeof(req));
	drain(f);
	assert_true(f->n > 0);
	assert_int_equal(f->hdr[f->n - 1].kind, NFP_FRAMES_TOTALS);
	assert_int_equal(f->hdr[f->n - 1].ns, TOKEN + 1);
	for (unsigned int i = 0; i < f->n; i++) {
		copied[f->hdr[i].port] += f->hdr[i].kind == NFP_FRAMES_FRAME;
		dropped[f->hdr[i].port] += f->hdr[i].kind == NFP_FRAMES_DROPS ? f->hdr[i].len : 0;
	}
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(f->totals.port[i].copied, copied[i]);
		assert_int_equal(f->totals.port[i].dropped, dropped[i]);
		assert_int_equal(f->totals.port[i].accepted, copied[i] + dropped[i]);
	}
}

/* UDP from 10.0.0.N, TCP for each third; lengths of 60 to 123. */
static bool mixed(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)(n % 200), n % 3 ? 17 : 6, 0x11);
	memset(w->frame + 60, (int)n | 1, 64);
	f->caplen = 60 + n % 64;
	f->len = f->caplen;
	f->ts_ns = 1000 + n;
	return true;
}

static void begin(struct frames *f, unsigned int shift)
{
	for (unsigned int i = 0; i < BOARD_PORTS; i++)
		f->wire[i].next = mixed;
	open_frames(f, shift);
}

/* ---- tests ---- */

static void all_frames(void **state)
{
	struct frames *f = *state;
	struct fw_wire w;
	struct board_frame want;

	begin(f, 20);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 300);
	receive(f, 1, 7);
	stop(f);
	assert_int_equal(f->n, 1 + 307 + 1);
	assert_int_equal(f->hdr[0].kind, NFP_FRAMES_START);
	assert_int_equal(f->hdr[0].port, NFP_FRAMES_OK);
	for (unsigned int i = 0; i < 307; i++) {
		const struct nfp_frames_hdr *hdr = &f->hdr[1 + i];
		unsigned int n = i < 300 ? i : i - 300;

		memset(&want, 0, sizeof(want));
		mixed(&w, n, &want);
		assert_int_equal(hdr->kind, NFP_FRAMES_FRAME);
		assert_int_equal(hdr->port, i >= 300);
		assert_int_equal(hdr->caplen, want.len);
		assert_int_equal(hdr->len, want.len);
		assert_int_equal(hdr->ns, want.ts_ns);
		assert_memory_equal(f->first[1 + i], w.frame, 60);
	}
	assert_int_equal(f->totals.port[0].seen, 300);
	assert_int_equal(f->totals.port[1].seen, 7);
}

/* The card copies nothing before START, after STOP, or for a host that has closed "frames". */
static void only_when_asked(void **state)
{
	struct frames *f = *state;

	begin(f, 20);
	receive(f, 0, 10);
	assert_int_equal(f->wire[0].n, 0);	/* the port does not receive yet */
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 10);
	stop(f);
	assert_int_equal(f->n, 22);
	receive(f, 0, 10);
	drain(f);
	assert_int_equal(f->n, 22);
	start(f, (struct nfp_frames_req){ 0 });
	end_close(&f->in);
	open_frames(f, 20);
	receive(f, 0, 10);
	assert_int_equal(ring_ready(&f->in.r), 0);
	assert_int_equal(f->wire[0].n, 40);
}

static void snap_ports_sample(void **state)
{
	struct frames *f = *state;

	begin(f, 20);
	start(f, (struct nfp_frames_req){ .snap = 33, .ports = 2, .sample = 4 });
	receive(f, 0, 50);
	receive(f, 1, 50);
	stop(f);
	assert_int_equal(f->n, 1 + 13 + 1);
	for (unsigned int i = 0; i < 13; i++) {
		assert_int_equal(f->hdr[1 + i].port, 1);
		assert_int_equal(f->hdr[1 + i].ns, 1000 + 4 * i);
		assert_int_equal(f->hdr[1 + i].caplen, 33);
		assert_int_equal(f->hdr[1 + i].len, 60 + 4 * i);
	}
	assert_int_equal(f->totals.port[0].seen, 50);
	assert_int_equal(f->totals.port[0].accepted, 0);
	assert_int_equal(f->totals.port[1].accepted, 13);
}

/* Captures may have frames that are longer than the host may ask for. */
static bool giants(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	static uint8_t giant[100000];

	for (unsigned int i = 0; i < sizeof(giant); i++)
		giant[i] = (uint8_t)(i + n);
	f->data = giant;
	f->caplen = sizeof(giant) - 1;
	f->len = sizeof(giant);
	return true;
}

static void largest(void **state)
{
	struct frames *f = *state;

	f->wire[0].next = giants;
	open_frames(f, 20);
	start(f, (struct nfp_frames_req){ 0 });
	for (unsigned int i = 0; i < 20; i++) {
		receive(f, 0, 1);
		drain(f);
	}
	stop(f);
	assert_int_equal(f->n, 22);
	for (unsigned int i = 1; i <= 20; i++) {
		assert_int_equal(f->hdr[i].caplen, NFP_FRAMES_SNAP_MAX);
		assert_int_equal(f->hdr[i].len, 100000);
		assert_int_equal(f->first[i][1], i);
	}
}

/* A ring without room: the frames that are missing are told where they are missing. */
static void drops_are_told(void **state)
{
	struct frames *f = *state;
	uint64_t next = 1000, told = 0;

	begin(f, 12);
	start(f, (struct nfp_frames_req){ 0 });
	for (unsigned int i = 0; i < 3; i++) {
		receive(f, 0, 5000);
		drain(f);
	}
	receive(f, 0, 10);
	stop(f);
	/* Time stamps count frames: a gap is as long as the record before it says. */
	for (unsigned int i = 1; i < f->n - 1; i++) {
		if (f->hdr[i].kind == NFP_FRAMES_DROPS) {
			assert_true(f->hdr[i].len > 0);
			next += f->hdr[i].len;
			assert_int_equal(f->hdr[i].ns, next - 1);
			told++;
			continue;
		}
		assert_int_equal(f->hdr[i].ns, next++);
	}
	assert_int_equal(next, 1000 + 15010);
	assert_true(told >= 3);
	assert_int_equal(f->totals.port[0].seen, 15010);
	assert_int_equal(f->wire[0].n, 15010);
}

/* What the card has made for a host that has gone does not confuse the next one. */
static void next_host(void **state)
{
	struct frames *f = *state;

	begin(f, 12);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 3000);
	end_close(&f->in);
	open_frames(f, 20);
	start(f, (struct nfp_frames_req){ .ports = 2 });
	receive(f, 1, 3);
	stop(f);
	assert_int_equal(f->n, 5);
	for (unsigned int i = 1; i < 4; i++) {
		assert_int_equal(f->hdr[i].kind, NFP_FRAMES_FRAME);
		assert_int_equal(f->hdr[i].port, 1);
	}
}

static void bad_requests(void **state)
{
	static const struct {
		struct nfp_frames_req req;
		uint32_t more;
	} bad[] = {
		{ { .snap = 0, .sample = 1, .ports = 3 }, 0 },
		{ { .snap = NFP_FRAMES_SNAP_MAX + 1, .sample = 1, .ports = 3 }, 0 },
		{ { .snap = 1, .sample = 0, .ports = 3 }, 0 },
		{ { .snap = 1, .sample = 1, .ports = 4 }, 0 },
		{ { .snap = 1, .sample = 1, .ports = 3, .streams = NFP_FRAMES_STREAMS + 1 }, 0 },
		{ { .snap = 1, .sample = 1, .ports = 3, .insns = 2 }, 8 },
		{ { .snap = 1, .sample = 1, .ports = 3, .insns = NFP_FRAMES_INSNS + 1 }, 2048 },
	};
	struct frames *f = *state;
	uint8_t msg[sizeof(struct nfp_frames_req) + 2048] = { 0 };
	struct nfp_frames_req req;

	begin(f, 20);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		req = bad[i].req;
		req.op = NFP_FRAMES_OP_START;
		req.token = TOKEN;
		memcpy(msg, &req, sizeof(req));
		f->n = 0;
		fw_send_run(&f->ctl, msg, sizeof(req) + bad[i].more);
		receive(f, 0, 5);
		drain(f);
		assert_int_equal(f->n, 1);
		assert_int_equal(f->hdr[0].kind, NFP_FRAMES_START);
		assert_int_equal(f->hdr[0].port, NFP_FRAMES_BAD_REQUEST);
	}
	f->n = 0;
	fw_send_run(&f->ctl, msg, 3);		/* no answer */
	memset(msg, 0xff, sizeof(msg));
	fw_send_run(&f->ctl, msg, sizeof(req));	/* no answer */
	drain(f);
	assert_int_equal(f->n, 0);
}

/* ---- beside the flow meter ---- */

static bool all_fin(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)n, 6, 0x11);
	f->ts_ns = n;
	return true;
}

/* Receive the meter's records until there is none. The last one may be the totals. */
static void read_flows(struct fw_pipe *flows, struct nfp_flow_totals *t)
{
	unsigned int n;

	do {
		fw_look(flows);
		for (n = 0; fw_recv(flows, t, sizeof(*t)) == sizeof(*t); n++)
			;
		fw_ring_run(flows);
	} while (n);
}

static struct nfp_flow_totals flow_totals_of(struct frames *f, struct fw_pipe *flows)
{
	struct nfp_flow_req req = { .op = NFP_FLOW_OP_TOTALS };
	struct nfp_flow_totals t;
	struct fw_pipe ctl;

	read_flows(flows, &t);
	assert_int_equal(fw_open(&ctl, &f->h, 3, CHAN_ID_FLOW_CTL, 12), NFP_CHAN_FW_OK);
	fw_send_run(&ctl, &req, sizeof(req));
	read_flows(flows, &t);
	assert_int_equal(t.type, NFP_FLOW_TOTALS);
	return t;
}

/* Begin a capture while "flows" is open, and have frames arrive, each of which ends a flow. */
static void begin_with_flows(struct frames *f, struct fw_pipe *flows, uint64_t frames)
{
	f->wire[0].next = all_fin;
	open_frames(f, 20);
	assert_int_equal(fw_open(flows, &f->h, 2, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, frames);
}

/* Both get every frame, as long as both read. */
static void with_flows(void **state)
{
	struct frames *f = *state;
	struct nfp_flow_totals t;
	struct fw_pipe flows;

	begin_with_flows(f, &flows, 1000);
	stop(f);
	assert_int_equal(f->totals.port[0].copied, 1000);
	t = flow_totals_of(f, &flows);
	assert_int_equal(t.seen, 1000);
	assert_int_equal(t.records, 1000);
	assert_int_equal(t.dropped, 0);
}

/* Nobody reads "flows": its records wait, and the capture goes on. The meter counts what it missed. */
static void without_flows(void **state)
{
	struct frames *f = *state;
	struct nfp_flow_totals t;
	struct fw_pipe flows;

	f->wire[0].next = all_fin;
	open_frames(f, 20);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 2000);
	stop(f);
	assert_int_equal(f->totals.port[0].copied, 2000);
	assert_int_equal(fw_open(&flows, &f->h, 2, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
	t = flow_totals_of(f, &flows);
	assert_int_equal(t.seen, 2000);
	assert_int_equal(t.records + t.dropped, 2000);
	assert_true(t.records > 0 && t.dropped > 0);
}

/* Packets that wait for the flow meter since before the capture are not in it. */
static void old_packets(void **state)
{
	struct frames *f = *state;

	f->wire[0].next = all_fin;
	open_frames(f, 20);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 2000);
	stop(f);
	receive(f, 0, 30);
	assert_int_equal(f->wire[0].n, 2030);
	start(f, (struct nfp_frames_req){ 0 });
	receive(f, 0, 5);
	stop(f);
	assert_int_equal(f->totals.port[0].seen, 5);
	assert_int_equal(f->n, 1 + 5 + 1);
	assert_int_equal(f->hdr[1].ns, 2030);
}

static bool captured(void *arg)
{
	drain(arg);
	return ((struct frames *)arg)->wire[0].n == 3000;
}

/* "flows" is open, but its reader does nothing: the capture waits for a while, and goes on. */
static void stuck_flows(void **state)
{
	struct frames *f = *state;
	struct nfp_flow_totals t;
	struct fw_pipe flows;

	begin_with_flows(f, &flows, 3000);
	assert_true(f->wire[0].n < 3000);
	assert_int_equal(host_run_until(f->h.host, captured, f, 20000), 0);
	stop(f);
	assert_int_equal(f->totals.port[0].copied, 3000);
	t = flow_totals_of(f, &flows);
	assert_int_equal(t.seen, 3000);
	assert_int_equal(t.records + t.dropped, 3000);
}

#define FRAMES(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRAMES(all_frames),
		FRAMES(only_when_asked),
		FRAMES(snap_ports_sample),
		FRAMES(largest),
		FRAMES(drops_are_told),
		FRAMES(next_host),
		FRAMES(bad_requests),
		FRAMES(with_flows),
		FRAMES(without_flows),
		FRAMES(old_packets),
		FRAMES(stuck_flows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
