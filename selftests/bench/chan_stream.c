// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_stream.c - bytes a second of a stream in chunks of 64 KiB.
 *
 * usage: chan_stream [SECONDS]
 *
 * One core: the board fills the ring, which is not timed. The host's part is timed: it looks at
 * the record, reads all bytes in place, and gives the room back. It compares with one core's
 * memcpy into a ring of the same size. Both use memory that the same core wrote before.
 *
 * Two cores: the board copies on the second core, so each byte crosses from core to core. The
 * limit is then what a plain ring between two threads carries (peer_spsc), and not memcpy within
 * one core's caches.
 */
#define _GNU_SOURCE
#include "bench_load.h"

#define CHUNK	65536
#define SHIFT	22		/* log2 of the ring's size: the largest */
#define RING	(1u << SHIFT)

static char *copy_from, *copy_to;

static uint64_t copy_ring(void *ctx)
{
	for (size_t at = 0; at < RING; at += CHUNK)
		memcpy(copy_to + at, copy_from, CHUNK);
	__asm__ volatile("" : : "r"(copy_to) : "memory");
	return RING;
}

static double copy_rate(void)
{
	double rate;

	copy_from = aligned_alloc(4096, CHUNK);
	copy_to = map_twice(RING);
	memset(copy_from, 1, CHUNK);
	memset(copy_to, 1, RING);
	rate = bench_rate(copy_ring, NULL);
	free(copy_from);
	munmap(copy_to, 2 * RING);
	return rate;
}

static double one_core_run(struct bench_host *b, struct bench_chan *rx)
{
	uint64_t bytes = 0, n;
	double spent = 0, start;

	while (spent < bench_seconds) {
		bench_run(b);
		start = bench_now();
		do {
			n = bench_take(rx, CHUNK, NFPCHAN_NONBLOCK);
			bytes += n;
		} while (n);
		spent += bench_now() - start;
	}
	return (double)bytes / spent;
}

static double one_core_rate(void)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_SOURCE_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, CHAN_ID_SOURCE, SHIFT);
	double best = 0, rate;

	bench_source(ctl, CHUNK, SOURCE_BYTES);
	for (int run = 0; run <= BENCH_RUNS; run++) {
		rate = one_core_run(b, rx);
		if (run && rate > best)
			best = rate;
	}
	bench_stop(b);
	return best;
}

static uint64_t receive(void *ctx)
{
	return bench_take(ctx, CHUNK, NFPCHAN_FOREVER);
}

/* A ring to the NFP holds 65535 bytes of a stream of bytes, so write half a chunk. */
static uint64_t send(void *ctx)
{
	static char buf[CHUNK / 2];
	struct bench_chan *c = ctx;

	assert_true(nfpchan_write(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == sizeof(buf));
	return sizeof(buf);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	bench_print("memcpy_64k_GBps", copy_rate() / 1e9);
	bench_print("stream_64k_one_core_GBps", one_core_rate() / 1e9);
	bench_print("stream_64k_recv_GBps",
		    bench_source_rate(CHAN_ID_SOURCE, 20, SOURCE_BYTES, CHUNK, receive) / 1e9);
	bench_print("stream_32k_send_GBps", bench_send_rate(CHAN_ID_SINK, send) / 1e9);
	return bench_sink == 42;
}
