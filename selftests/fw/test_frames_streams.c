// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_frames_streams.c - a capture with several streams: which frames are in which stream, where the
 * capture begins and ends in each, and which frames are missing.
 */
#include <nfpchan/nfp_chan_frames.h>

#include "fw_wire.h"
#include "ring_end.h"

#define STREAMS	NFP_FRAMES_STREAMS
#define FLOWS	64
#define ROUNDS	16
#define CTL	STREAMS		/* the pipe of "frames-ctl" */
#define TOKEN	0x1122334455667788ull

/**
 * struct streams - a host with open channels
 * @h: the host
 * @in: the streams
 * @ctl: "frames-ctl"
 * @wire: what is connected to port 0
 * @have: bytes that were read from each stream
 * @buf: these bytes
 */
struct streams {
	struct fw_host h;
	struct end in[STREAMS];
	struct fw_pipe ctl;
	struct fw_wire wire;
	uint32_t have[STREAMS];
	uint8_t buf[STREAMS][1 << 20];
};

/**
 * struct seen - what a stream had
 * @start: the answer to START
 * @end: head of the last record
 * @totals: totals in the last record
 * @frames: number of frames
 * @dropped: sum of its DROPS records
 * @flow: the number of frames of each flow
 */
struct seen {
	struct nfp_frames_hdr start;
	struct nfp_frames_hdr end;
	struct nfp_frames_totals totals;
	uint64_t frames;
	uint64_t dropped;
	uint64_t flow[FLOWS];
};

static int setup(void **state)
{
	struct streams *f = calloc(1, sizeof(*f));

	fw_host_start(&f->h);
	assert_int_equal(fw_hello(&f->h), NFP_CHAN_FW_OK);
	board_wire(f->h.host->b, 0, &fw_wire_ops, &f->wire);
	assert_int_equal(fw_open(&f->ctl, &f->h, CTL, CHAN_ID_FRAMES_CTL, 14), NFP_CHAN_FW_OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct streams *f = *state;

	fw_host_stop(&f->h);
	free(f);
	return 0;
}

/* ---- frames ---- */

static void swap(uint8_t *a, uint8_t *b, unsigned int n)
{
	while (n--) {
		uint8_t x = a[n];

		a[n] = b[n];
		b[n] = x;
	}
}

/* IPv6 with UDP, addresses and ports as those of fw_frame(). */
static void to_ipv6(uint8_t *p)
{
	uint8_t v4[12];

	memcpy(v4, p + 26, sizeof(v4));
	memset(p + 12, 0, 50);
	memcpy(p + 12, "\x86\xdd\x60\0\0\0\0\x08\x11\x40", 10);
	memcpy(p + 22 + 12, v4, 4);
	memcpy(p + 38 + 12, v4 + 4, 4);
	memcpy(p + 54, v4 + 8, 4);
}

/*
 * Flow n % FLOWS: TCP, UDP and IPv6. Every other round goes in the other direction. Some packets are
 * longer, as their headers say, than their frames: a sender has cut them.
 */
static bool connections(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	unsigned int flow = n % FLOWS, dir = n / FLOWS % 2;
	uint8_t *p = w->frame;

	fw_frame(p, flow / 2, flow % 3 ? 6 : 17, 0x10);
	p[35] = flow % 2;
	if (flow % 3 != 2) {
		p[16] = n % 7 ? 0 : 4;
		if (dir) {
			swap(p + 26, p + 30, 4);
			swap(p + 34, p + 36, 2);
		}
	} else {
		to_ipv6(p);
		if (dir) {
			swap(p + 22, p + 38, 16);
			swap(p + 54, p + 56, 2);
		}
		f->caplen = 62;
	}
	f->len = f->caplen;
	f->ts_ns = n;
	return true;
}

/* Frames without addresses: ARP, a frame that ends in its IP header, and a header of 4 bytes. */
static bool others(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	fw_frame(w->frame, (uint32_t)n, 17, 0);
	f->ts_ns = n;
	if (n % 3 == 0) {
		memcpy(w->frame + 12, "\x08\x06", 2);
	} else if (n % 3 == 1) {
		f->caplen = 30;
	} else {
		w->frame[14] = 0x41;
	}
	return true;
}

/* ---- the host's side ---- */

static void open_streams(struct streams *f, unsigned int n, unsigned int shift)
{
	for (unsigned int i = 0; i < n; i++)
		end_open(&f->in[i], &f->h, i, CHAN_ID_FRAMES + i, shift);
}

static void ask(struct streams *f, uint32_t op, unsigned int streams)
{
	struct nfp_frames_req req = {
		.op = op, .snap = 100, .sample = 1, .ports = 3, .streams = (uint8_t)streams,
		.token = TOKEN,
	};

	fw_send_run(&f->ctl, &req, sizeof(req));
}

static void drain(struct streams *f, unsigned int i)
{
	int64_t n;

	do {
		n = ring_get_many(&f->in[i].r, f->buf[i] + f->have[i],
				  (uint32_t)(sizeof(f->buf[i]) - f->have[i]) / NFP_FRAMES_ELEM);
		f->have[i] += n > 0 ? (uint32_t)n * NFP_FRAMES_ELEM : 0;
		ring_flush(&f->in[i].r);
		ring_arm(&f->in[i].r);
		host_run(f->h.host);
	} while (n > 0);
}

static bool begun(void *arg)
{
	struct streams *f = arg;

	drain(f, 0);
	return f->have[0] > 0;
}

static void start(struct streams *f, unsigned int streams)
{
	memset(f->have, 0, sizeof(f->have));
	ask(f, NFP_FRAMES_OP_START, streams);
	assert_int_equal(host_run_until(f->h.host, begun, f, 20000), 0);
}

static void receive(struct streams *f, uint64_t n)
{
	f->wire.limit += n;
	host_run(f->h.host);
}

/* Walk over the records of stream @i. Time stamps of the frames count up: they are in order. */
static struct seen walk(struct streams *f, unsigned int i)
{
	struct seen s = { 0 };
	uint64_t next = 0;

	assert_true(f->have[i] >= sizeof(s.start));
	memcpy(&s.start, f->buf[i], sizeof(s.start));
	assert_int_equal(s.start.kind, NFP_FRAMES_START);
	assert_int_equal(s.start.ns, TOKEN);
	for (uint32_t at = 0; at < f->have[i]; at += NFP_FRAMES_ROOM(s.end.caplen)) {
		memcpy(&s.end, f->buf[i] + at, sizeof(s.end));
		if (s.end.kind == NFP_FRAMES_DROPS)
			s.dropped += s.end.len;
		if (s.end.kind != NFP_FRAMES_FRAME)
			continue;
		assert_true(s.end.ns >= next);
		next = s.end.ns + 1;
		s.frames++;
		s.flow[s.end.ns % FLOWS]++;
	}
	if (s.end.kind == NFP_FRAMES_TOTALS)
		memcpy(&s.totals, f->buf[i] + f->have[i] - sizeof(s.totals), sizeof(s.totals));
	return s;
}

/* Stop, and walk over the records of @n streams, which end with the totals of all. */
static void stop(struct streams *f, unsigned int n, struct seen *s)
{
	uint64_t frames = 0, dropped = 0;

	ask(f, NFP_FRAMES_OP_STOP, 0);
	for (unsigned int i = 0; i < n; i++) {
		drain(f, i);
		s[i] = walk(f, i);
		assert_int_equal(s[i].start.port, NFP_FRAMES_OK);
		assert_int_equal(s[i].end.kind, NFP_FRAMES_TOTALS);
		assert_int_equal(s[i].end.ns, TOKEN);
		assert_memory_equal(&s[i].totals, &s[0].totals, sizeof(s[i].totals));
		frames += s[i].frames;
		dropped += s[i].dropped;
	}
	assert_int_equal(s[0].totals.port[0].copied, frames);
	assert_int_equal(s[0].totals.port[0].dropped, dropped);
}

/* ---- tests ---- */

/* A flow is in one stream with both directions, and no stream has half of the flows. */
static void flows_stay(void **state)
{
	struct streams *f = *state;
	struct seen s[STREAMS];

	f->wire.next = connections;
	open_streams(f, STREAMS, 20);
	for (unsigned int n = 2; n <= STREAMS; n++) {
		unsigned int flows[STREAMS] = { 0 }, all = 0;

		start(f, n);
		receive(f, ROUNDS * FLOWS);
		stop(f, n, s);
		assert_int_equal(s[0].totals.port[0].copied, ROUNDS * FLOWS);
		for (unsigned int i = 0; i < n * FLOWS; i++) {
			uint64_t got = s[i / FLOWS].flow[i % FLOWS];

			assert_true(!got || got == ROUNDS);
			flows[i / FLOWS] += got == ROUNDS;
			all += got == ROUNDS;
		}
		assert_int_equal(all, FLOWS);
		for (unsigned int i = 0; i < n; i++)
			assert_in_range(flows[i], FLOWS / n / 2, FLOWS * 3 / n / 2);
	}
}

static void others_in_the_first(void **state)
{
	struct streams *f = *state;
	struct seen s[STREAMS];

	f->wire.next = others;
	open_streams(f, STREAMS, 20);
	start(f, STREAMS);
	receive(f, 90);
	stop(f, STREAMS, s);
	assert_int_equal(s[0].frames, 90);
}

/* All streams may be open, but a capture has those that it asks for. */
static void one_stream(void **state)
{
	struct streams *f = *state;
	struct seen s;

	f->wire.next = connections;
	open_streams(f, STREAMS, 20);
	for (unsigned int n = 0; n < 2; n++) {
		start(f, n);
		receive(f, FLOWS);
		stop(f, 1, &s);
		assert_int_equal(s.frames, FLOWS);
		assert_int_equal(ring_ready(&f->in[1].r), 0);
	}
}

/* A reader that does not keep up misses frames, and the others do not. */
static void slow_reader(void **state)
{
	struct streams *f = *state;
	struct seen s[STREAMS];

	f->wire.next = connections;
	open_streams(f, STREAMS, 16);
	start(f, STREAMS);
	for (unsigned int i = 0; i < 12; i++) {
		receive(f, 32 * FLOWS);
		for (unsigned int k = 0; k < STREAMS; k++)
			if (k != 2)
				drain(f, k);
	}
	stop(f, STREAMS, s);
	for (unsigned int i = 0; i < STREAMS; i++)
		assert_int_equal(s[i].dropped > 0, i == 2);
	assert_int_equal(s[0].totals.port[0].accepted, 12 * 32 * FLOWS);
}

/* The answer on "frames" names the stream that is not open. */
static void not_open(void **state)
{
	struct streams *f = *state;
	struct seen s;

	f->wire.next = connections;
	open_streams(f, 2, 20);
	ask(f, NFP_FRAMES_OP_START, 3);
	receive(f, 10);
	drain(f, 0);
	s = walk(f, 0);
	assert_int_equal(f->have[0], sizeof(s.start));
	assert_int_equal(s.start.port, NFP_FRAMES_BAD_STREAM);
	assert_int_equal(s.start.len, 2);
	assert_int_equal(ring_ready(&f->in[1].r), 0);
	start(f, 2);
	receive(f, FLOWS);
	stop(f, 2, (struct seen[2]){ 0 });
}

/* The capture ends for all with the first reader that goes. */
static void reader_goes(void **state)
{
	struct streams *f = *state;
	struct seen s;

	f->wire.next = connections;
	open_streams(f, STREAMS, 20);
	start(f, STREAMS);
	receive(f, FLOWS);
	end_close(&f->in[3]);
	receive(f, FLOWS);
	ask(f, NFP_FRAMES_OP_STOP, 0);
	drain(f, 0);
	s = walk(f, 0);
	assert_int_equal(s.end.kind, NFP_FRAMES_TOTALS);
	assert_int_equal(s.totals.port[0].accepted, FLOWS);
}

#define STREAMS_TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STREAMS_TEST(flows_stay),
		STREAMS_TEST(others_in_the_first),
		STREAMS_TEST(one_stream),
		STREAMS_TEST(slow_reader),
		STREAMS_TEST(not_open),
		STREAMS_TEST(reader_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
