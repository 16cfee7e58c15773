// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_load.c - round trips of frames from the wire to the host and back, by load.
 *
 * usage: chan_load [SECONDS]
 *
 * A wire gives the card frames of 60 bytes at even intervals. The host sends each back, and the
 * time counts from the moment when the frame was due until it leaves the card. So a frame that
 * finds others before it waits for them as well. The wire is in the board's thread, on the second
 * core.
 *
 * The host has the frames in three ways:
 *   reactive   channel "frames"; the card shows new frames when the host has worked on the last
 *   prefetch   the same; the host asks for new frames before it works on those that it has
 *   ring       the vNIC's descriptor rings; the card shows each frame by a descriptor
 *
 * The load is a share of the largest rate of the same way. The emulated card, not the host, limits
 * that rate: a frame of the channel passes two ME processes and the managers, which are emulated,
 * while the vNIC is modelled.
 */
#define _GNU_SOURCE
#include <nfpchan/nfp_chan_frames.h>

#include "bench_load.h"
#include "fw_wire.h"
#include "vnic_rx_rig.h"

#define FRAME		60
#define STAMP		42	/* where a frame says when it was due, in ns */
#define SETTLE		0.002	/* seconds at the beginning of a run that do not count */
#define TX_RING		0x2000u
#define TX_WB		0x7000u
#define OFFERED		16	/* buffers that the driver gives back at a time */

/**
 * struct load - a wire at port 0, and how the host has its frames
 * @b: host and board
 * @frames: channel "frames"
 * @out: channel "frames-out"
 * @turn: a turn of the host
 * @gap: ns between two frames; 0: as fast as the card takes them
 * @due: when the next frame is due
 * @from: when frames begin to count
 * @until: when the last frame is due
 * @frame: a frame
 * @sent: frames that the card has taken
 * @back: frames that came back
 * @n: entries of @took
 * @took: round trips in seconds
 * @seen: descriptors received
 * @given: buffers given back, of the frames received
 *
 * The board's thread has the fields from @due to @took while it runs.
 */
struct load {
	struct bench_host *b;
	struct bench_chan *frames;
	struct bench_chan *out;
	void (*turn)(struct load *l);
	uint64_t gap;
	uint64_t due;
	uint64_t from;
	uint64_t until;
	uint8_t frame[FRAME];
	uint64_t sent;
	_Atomic uint64_t back;
	int n;
	double took[BENCH_SAMPLES];
	uint32_t seen;
	uint32_t given;
};

/* ---- the wire ---- */

static int pull(void *ctx, struct board_frame *f)
{
	struct load *l = ctx;
	uint64_t now = now_ns();

	if (!l->gap)
		l->due = now;
	if (l->due > now || l->due >= l->until)
		return 0;
	memcpy(l->frame + STAMP, &l->due, sizeof(l->due));
	*f = (struct board_frame){ .data = l->frame, .caplen = FRAME, .len = FRAME };
	l->due += l->gap;
	l->sent++;
	return 1;
}

static void push(void *ctx, const struct board_frame *f)
{
	struct load *l = ctx;
	uint64_t due;

	assert_true(f->caplen == FRAME);
	memcpy(&due, f->data + STAMP, sizeof(due));
	if (due >= l->from && l->n < BENCH_SAMPLES)
		l->took[l->n++] = (double)(now_ns() - due) / 1e9;
	l->back++;
}

static const struct board_wire_ops wire = { .pull = pull, .push = push };

/* ---- frames in channels ---- */

/* Send back the whole records among the first @n bytes. Return their bytes. */
static size_t send_back(struct load *l, const uint8_t *data, size_t n)
{
	static uint8_t buf[16384];
	struct nfp_frames_hdr hdr;
	size_t at, size;

	for (at = 0; n - at >= sizeof(hdr); at += size) {
		memcpy(&hdr, data + at, sizeof(hdr));
		size = NFP_FRAMES_ROOM(hdr.caplen);
		if (size > n - at || at + size > sizeof(buf))
			break;
		memcpy(buf + at, data + at, size);
		hdr.ns = 0;	/* at once */
		memcpy(buf + at, &hdr, sizeof(hdr));
	}
	if (at)
		assert_true(nfpchan_write(&l->out->ch, buf, at, NFPCHAN_FOREVER) == (ssize_t)at);
	return at;
}

static ssize_t look(struct load *l, const void **data)
{
	ssize_t n = nfpchan_peek(&l->frames->ch, data, NFPCHAN_NONBLOCK);

	assert_true(n > 0 || n == -EAGAIN);
	return n;
}

static void reactive(struct load *l)
{
	const void *data;
	ssize_t n = look(l, &data);

	if (n > 0)
		assert_true(nfpchan_consume(&l->frames->ch, send_back(l, data, (size_t)n)) == 0);
}

/* The second look asks the card for what is behind the bytes of the first one. */
static void prefetch(struct load *l)
{
	const void *data;
	ssize_t n = look(l, &data);

	if (n <= 0)
		return;
	n = look(l, &data);
	assert_true(nfpchan_consume(&l->frames->ch, send_back(l, data, (size_t)n)) == 0);
}

static void open_frames(struct load *l)
{
	static const struct nfp_frames_req start = {
		.op = NFP_FRAMES_OP_START, .snap = NFP_FRAMES_SNAP_MAX, .sample = 1, .ports = 1,
	};
	struct bench_chan *ctl;
	const void *data;

	l->b = bench_start();
	ctl = bench_open(l->b, 0, CHAN_ID_FRAMES_CTL, 14);
	l->frames = bench_open(l->b, 1, CHAN_ID_FRAMES, 20);
	l->out = bench_open(l->b, 2, CHAN_ID_FRAMES_OUT, 18);
	board_wire(l->b->h.host->b, 0, &wire, l);
	bench_thread_start(l->b);
	assert_true(nfpchan_send(&ctl->ch, &start, sizeof(start), NFPCHAN_FOREVER) == 0);
	assert_true(nfpchan_peek(&l->frames->ch, &data, NFPCHAN_FOREVER) == NFP_FRAMES_ELEM);
	assert_true(((const struct nfp_frames_hdr *)data)->port == NFP_FRAMES_OK);
	assert_true(nfpchan_consume(&l->frames->ch, NFP_FRAMES_ELEM) == 0);
	bench_thread_stop(l->b);
}

/* ---- descriptor rings ---- */

static uint64_t buffer(unsigned int slot)
{
	return HOST_BASE + BUF_OFF(0, slot % RING_SIZE);
}

static void give_buffers(struct load *l, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++, t.given[0]++)
		vnic_fl_desc(t.h->mem + RING_OFF(0) + 8 * (t.given[0] % RING_SIZE),
			     buffer(t.given[0]));
	bench_post(l->b, QC(FLQ(0), ADD_WPTR), n);
}

static bool received(const struct load *l)
{
	const uint8_t *d = t.h->mem + RING_OFF(0) + 8 * (l->seen % RING_SIZE);

	return l->seen != t.given[0] && __atomic_load_n(d + 3, __ATOMIC_ACQUIRE) & 0x80;
}

/* Send back the frames that have come, and give the card the buffers of those that have gone. */
static void ring(struct load *l)
{
	uint32_t sent = __atomic_load_n((uint32_t *)(t.h->mem + TX_WB), __ATOMIC_ACQUIRE);
	unsigned int n;

	for (n = 0; n < BENCH_BURST && received(l); n++, l->seen++)
		vnic_tx_desc(t.h->mem + TX_RING + 16 * (l->seen % RING_SIZE), buffer(l->seen),
			     FRAME, true, FRAME);
	if (n)
		bench_post(l->b, QC(TXQ, ADD_WPTR), n);
	/* The card's position counts descriptors, modulo those of a queue. */
	if (((sent - l->given) & (RING_SIZE - 1)) < OFFERED)
		return;
	give_buffers(l, OFFERED);
	l->given += OFFERED;
}

static void open_ring(struct load *l)
{
	setup(NULL);
	l->b = bench_host_alloc();
	l->b->h.host = t.h;
	host_set(t.h, "start", "link");
	board_wire(t.h->b, 0, &wire, l);
	tx_ring(TX_RING, TX_WB);
	up(0);
	give_buffers(l, RING_SIZE - OFFERED);
	bench_run(l->b);
}

/* ---- runs ---- */

/* Run host and wire for the time of a run, at a frame each @gap ns. Return the frames a second. */
static double run(struct load *l, uint64_t gap)
{
	uint64_t start = now_ns(), end = start + (uint64_t)(bench_seconds * 1e9), before, after;

	l->gap = gap;
	l->due = start;
	l->from = start + (uint64_t)(SETTLE * 1e9);
	l->until = end;
	l->sent = 0;
	l->back = 0;
	l->n = 0;
	bench_thread_start(l->b);
	while (now_ns() < l->from)
		l->turn(l);
	before = l->back;
	while (now_ns() < end)
		l->turn(l);
	after = l->back;
	/* Those that are still on their way. */
	while (l->back < l->sent && now_ns() < end + 1000000000)
		l->turn(l);
	bench_thread_stop(l->b);
	return (double)(after - before) * 1e9 / (double)(end - l->from);
}

static void print(const char *way, unsigned int load, const char *what, double value)
{
	char key[64];

	snprintf(key, sizeof(key), "load_%s_%u_us_%s", way, load, what);
	bench_print(key, value);
}

/* Print median and 99th percentile, of the run with the smallest median. */
static void measure(struct load *l, const char *way, unsigned int load, double most)
{
	double median = 1e9, p99 = 0;
	uint64_t lost = 0;

	for (int i = 0; i < BENCH_RUNS; i++) {
		run(l, (uint64_t)(1e11 / most / load));
		assert_true(l->n > 0);
		qsort(l->took, (size_t)l->n, sizeof(l->took[0]), bench_less);
		lost += l->sent - l->back;
		if (l->took[l->n / 2] >= median)
			continue;
		median = l->took[l->n / 2];
		p99 = l->took[l->n * 99 / 100];
	}
	print(way, load, "median", median * 1e6);
	print(way, load, "p99", p99 * 1e6);
	if (lost)
		printf("# load_%s_%u: %llu frames did not come back\n", way, load,
		       (unsigned long long)lost);
}

static void curve(const char *way, void (*open)(struct load *l), void (*turn)(struct load *l))
{
	static const unsigned int loads[] = { 10, 30, 50, 70, 90, 99 };
	static struct load l;
	double most = 0, rate;
	char key[64];

	memset(&l, 0, sizeof(l));
	l.turn = turn;
	fw_frame(l.frame, 1, 17, 0);
	memcpy(l.frame, mac, sizeof(mac));
	open(&l);
	for (int i = 0; i <= BENCH_RUNS; i++) {
		rate = run(&l, 0);
		if (i && rate > most)
			most = rate;
	}
	snprintf(key, sizeof(key), "load_%s_Mps", way);
	bench_print(key, most / 1e6);
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		measure(&l, way, loads[i], most);
	bench_stop(l.b);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	curve("reactive", open_frames, reactive);
	curve("prefetch", open_frames, prefetch);
	curve("ring", open_ring, ring);
	return 0;
}
