// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_frames_out.c - records on "frames-out" leave at the wire ports as frames, in time. */
#include <nfpchan/nfp_chan_frames.h>

#include "random.h"
#include "ring_end.h"

#define MANY	2000
#define MS	1000000ull

/**
 * struct out - a host with "frames-out" open
 * @h: the host
 * @end: "frames-out"
 * @n: frames that have left at each port
 * @len: their lengths
 * @sum: bytes of each, added
 * @at: when each left, by the card's clock
 * @paused: the far ends pause the wires
 */
struct out {
	struct fw_host h;
	struct end end;
	unsigned int n[BOARD_PORTS];
	uint32_t len[BOARD_PORTS][MANY];
	uint32_t sum[BOARD_PORTS][MANY];
	uint64_t at[BOARD_PORTS][MANY];
	bool paused;
};

static struct out *all;

static uint32_t sum(const uint8_t *p, uint32_t len)
{
	uint32_t s = 0;

	while (len--)
		s = s * 31 + *p++;
	return s;
}

static void far_push(void *ctx, const struct board_frame *f)
{
	unsigned int port = ctx ? 1 : 0, n = all->n[port]++;

	assert_true(n < MANY);
	all->len[port][n] = f->len;
	all->sum[port][n] = sum(f->data, f->len);
	all->at[port][n] = board_now_ns(all->h.host->b);
}

static bool far_room(void *ctx)
{
	return !all->paused;
}

static const struct board_wire_ops far_ops = { .push = far_push, .room = far_room };

static int setup(void **state)
{
	struct out *o = calloc(1, sizeof(*o));

	all = o;
	fw_host_start(&o->h);
	assert_int_equal(fw_hello(&o->h), NFP_CHAN_FW_OK);
	board_wire(o->h.host->b, 0, &far_ops, NULL);
	board_wire(o->h.host->b, 1, &far_ops, o);
	end_open(&o->end, &o->h, 0, CHAN_ID_FRAMES_OUT, 18);
	*state = o;
	return 0;
}

static int teardown(void **state)
{
	struct out *o = *state;

	fw_host_stop(&o->h);
	free(o);
	return 0;
}

static void put(struct out *o, const void *buf, uint32_t len)
{
	const uint8_t *p = buf;

	while (len) {
		int64_t n = ring_put_many(&o->end.r, p, len / NFP_FRAMES_ELEM);

		if (n > 0) {
			p += n * NFP_FRAMES_ELEM;
			len -= (uint32_t)n * NFP_FRAMES_ELEM;
		}
		ring_kick(&o->end.r);
		host_run(o->h.host);
	}
}

static void start(struct out *o)
{
	struct nfp_frames_hdr hdr = { .kind = NFP_FRAMES_START, .ns = NFP_FRAMES_SYNC };

	put(o, &hdr, sizeof(hdr));
}

/* Make a record of frame @n. Return its bytes. */
static uint32_t record(uint8_t *buf, unsigned int port, uint32_t len, unsigned int n, uint64_t ns)
{
	struct nfp_frames_hdr hdr = { NFP_FRAMES_FRAME, (uint8_t)port, (uint16_t)len, len, ns };
	uint32_t size = sizeof(hdr) + ((len + 15) & ~15u);

	memset(buf, 0, size);
	memcpy(buf, &hdr, sizeof(hdr));
	for (uint32_t i = 0; i < len; i++)
		buf[sizeof(hdr) + i] = byte_at(n * 65536ull + i);
	return size;
}

/* Frame @i of @port is frame @n, of @len bytes, padded to 60. */
static void same(const struct out *o, unsigned int port, unsigned int i, uint32_t len, unsigned int n)
{
	uint8_t buf[16 + NFP_FRAMES_SEND_MAX + 16] = { 0 };

	record(buf, port, len, n, 0);
	len = len < 60 ? 60 : len;
	assert_true(i < o->n[port]);
	assert_int_equal(o->len[port][i], len);
	assert_int_equal(o->sum[port][i], sum(buf + 16, len));
}

/* Frames of all lengths at both ports. The pieces that the host writes end anywhere. */
static void frames(void **state)
{
	uint64_t seed = random_seed(1);
	struct out *o = *state;
	static uint8_t buf[MANY * 2048];
	uint32_t used = 0, at, n, len[500];

	start(o);
	for (unsigned int i = 0; i < 500; i++) {
		len[i] = i < 4 ? (uint32_t[]){ 0, 60, 61, NFP_FRAMES_SEND_MAX }[i]
			       : random_below(&seed, i % 9 ? 300 : 9000);
		used += record(buf + used, i & 1, len[i], i, 0);
	}
	for (at = 0; at < used; at += n) {
		n = 16 * (1 + random_below(&seed, 500));
		n = n < used - at ? n : used - at;
		put(o, buf + at, n);
	}
	assert_int_equal(o->n[0] + o->n[1], 500);
	for (unsigned int i = 0; i < 500; i++)
		same(o, i & 1, i / 2, len[i], i);
}

/* What no port sends is left out: too long, no such port, no frame. */
static void left_out(void **state)
{
	struct out *o = *state;
	static uint8_t buf[5 * 65552];
	struct nfp_frames_hdr end = { .kind = NFP_FRAMES_END };
	uint32_t used = 0;

	start(o);
	used += record(buf + used, 0, 65535, 1, 0);
	used += record(buf + used, 0, NFP_FRAMES_SEND_MAX + 1, 2, 0);
	used += record(buf + used, 2, 100, 3, 0);
	memcpy(buf + used, &end, sizeof(end));
	used += sizeof(end);
	used += record(buf + used, 0, 100, 4, 0);
	put(o, buf, used);
	assert_int_equal(o->n[0], 1);
	assert_int_equal(o->n[1], 0);
	same(o, 0, 0, 100, 4);
}

/* A host dies in the middle of a record. The next one is understood from its beginning. */
static void next_host(void **state)
{
	static const uint32_t lens[] = { 200, 9000, 65535 };
	struct out *o = *state;
	static uint8_t buf[65552];

	for (unsigned int i = 0; i < 3; i++) {
		start(o);
		record(buf, 0, lens[i], 0, 0);
		put(o, buf, 48);
		end_close(&o->end);
		end_open(&o->end, &o->h, 0, CHAN_ID_FRAMES_OUT, 18);
		start(o);
		put(o, buf, record(buf, 0, 99, i, 0));
		assert_int_equal(o->n[0], i + 1);
		same(o, 0, i, 99, i);
	}
}

static bool five_left(void *arg)
{
	return ((struct out *)arg)->n[0] == 5;
}

/* No frame leaves before its time, and all leave in order. */
static void in_time(void **state)
{
	static const uint64_t when[] = { 0, 3 * MS, 3 * MS, 20 * MS, 5 * MS };
	struct out *o = *state;
	uint8_t buf[5 * 128];
	uint32_t used = 0;
	uint64_t began;

	for (unsigned int i = 0; i < 5; i++)
		used += record(buf + used, 0, 64, i, when[i]);
	began = board_now_ns(o->h.host->b);
	start(o);
	put(o, buf, used);
	assert_int_equal(host_run_until(o->h.host, five_left, o, 20000), 0);
	for (unsigned int i = 0; i < 5; i++) {
		same(o, 0, i, 64, i);
		assert_true(o->at[0][i] >= began + when[i]);
	}
}

/* While the wire is paused, frames wait at the host. */
static void paused_wire(void **state)
{
	struct out *o = *state;
	uint8_t buf[256];

	start(o);
	o->paused = true;
	for (unsigned int i = 0; i < 600; i++)
		put(o, buf, record(buf, 0, 128, i, 0));
	assert_int_equal(o->n[0], 0);
	assert_true(ring_taken(&o->end.r, o->end.r.pos) != 0);
	o->paused = false;
	host_run(o->h.host);
	assert_int_equal(o->n[0], 600);
	for (unsigned int i = 0; i < 600; i++)
		same(o, 0, i, 128, i);
}

#define OUT(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OUT(frames),
		OUT(left_out),
		OUT(next_host),
		OUT(in_time),
		OUT(paused_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
