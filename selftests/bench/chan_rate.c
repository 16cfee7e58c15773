// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_rate.c - what channels carry, with the board on a core of its own.
 *
 * usage: chan_rate [SECONDS]
 *
 * Prints lines "KEY VALUE". Each figure is the best of several runs, since
 * other work on the machine only ever makes one slower.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include "bench_chan.h"
#include "stream.h"

#define RUNS	5

static double seconds = 0.4;

/* Read all of it: eight sums, so that the additions do not wait for each other. */
static uint64_t read_all(const void *data, size_t len)
{
	const uint64_t *w = data;
	uint64_t s[8] = { 0 };

	for (size_t i = 0; i + 8 <= len / 8; i += 8)
		for (int k = 0; k < 8; k++)
			s[k] += w[i + k];
	return s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
}

static uint64_t sink;

static void source(struct bench_chan *ctl, uint32_t chunk, uint32_t target)
{
	struct source_req req = { 1ull << 60, chunk, target };

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_FOREVER) == 0);
}

/* One core copies chunks into a ring of that size. */
static double memcpy_rate(size_t chunk, size_t ring)
{
	char *from = aligned_alloc(4096, chunk), *to = aligned_alloc(4096, ring);
	double start, end, best = 0;

	memset(from, 1, chunk);
	memset(to, 1, ring);
	for (int run = 0; run < RUNS; run++) {
		uint64_t bytes = 0;

		start = bench_now();
		do {
			for (size_t at = 0; at < ring; at += chunk)
				memcpy(to + at, from, chunk);
			__asm__ volatile("" : : "r"(to) : "memory");
			bytes += ring;
			end = bench_now();
		} while (end - start < seconds);
		if ((double)bytes / (end - start) > best)
			best = (double)bytes / (end - start);
	}
	free(from);
	free(to);
	return best;
}

typedef uint64_t (*receive_fn)(struct bench_chan *c);

static uint64_t receive_chunk(struct bench_chan *c)
{
	const void *data;
	ssize_t n = nfpchan_peek(&c->ch, &data, NFPCHAN_FOREVER);

	assert_true(n > 0);
	if (n > 65536)
		n = 65536;
	sink += read_all(data, (size_t)n);
	assert_true(nfpchan_consume(&c->ch, (size_t)n) == 0);
	return (uint64_t)n;
}

static uint64_t receive_one(struct bench_chan *c)
{
	uint64_t buf[8];

	for (int i = 0; i < 64; i++) {
		assert_true(nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 64);
		sink += buf[0];
	}
	return 64 * 64;
}

static uint64_t receive_burst(struct bench_chan *c)
{
	uint64_t buf[32][8];
	ssize_t n = nfpchan_recv_many(&c->ch, buf, 32, NFPCHAN_FOREVER);

	assert_true(n > 0);
	for (ssize_t i = 0; i < n; i++)
		sink += buf[i][0];
	return 64 * (uint64_t)n;
}

/* In place: what is there, at most 32 at a time, the first word of each. */
static uint64_t receive_in_place(struct bench_chan *c)
{
	const void *data;
	ssize_t n = nfpchan_peek(&c->ch, &data, NFPCHAN_FOREVER);

	assert_true(n > 0);
	if (n > 32 * 64)
		n = 32 * 64;
	for (ssize_t i = 0; i < n; i += 64)
		sink += *(const uint64_t *)((const char *)data + i);
	assert_true(nfpchan_consume(&c->ch, (size_t)n) == 0);
	return (uint64_t)n;
}

/* Bytes a second that come to the host. */
static double receive_rate(unsigned int chan, uint32_t target, uint32_t chunk,
			   unsigned int ring_shift, receive_fn receive)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_SOURCE_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, chan, ring_shift);
	double start, end, best = 0;

	bench_thread_start(b);
	source(ctl, chunk, target);
	for (int run = 0; run <= RUNS; run++) {
		uint64_t bytes = 0;

		start = bench_now();
		do {
			for (int i = 0; i < 64; i++)
				bytes += receive(rx);
			end = bench_now();
		} while (end - start < seconds);
		if (run && (double)bytes / (end - start) > best)
			best = (double)bytes / (end - start);
	}
	bench_thread_stop(b);
	assert_true(inproc_dma_faults(b->h.ip) == 0);
	bench_stop(b);
	return best;
}

typedef uint64_t (*send_fn)(struct bench_chan *c);

static uint64_t send_chunk(struct bench_chan *c)
{
	static char buf[32768];

	assert_true(nfpchan_write(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == sizeof(buf));
	return sizeof(buf);
}

static uint64_t send_one(struct bench_chan *c)
{
	static uint64_t buf[8];

	for (int i = 0; i < 64; i++) {
		buf[0]++;
		assert_true(nfpchan_send(&c->ch, buf, sizeof(buf), NFPCHAN_FOREVER) == 0);
	}
	return 64 * 64;
}

static uint64_t send_burst(struct bench_chan *c)
{
	static uint64_t buf[32][8];

	return 64 * (uint64_t)nfpchan_send_many(&c->ch, buf, 32, NFPCHAN_FOREVER);
}

static double send_rate(unsigned int chan, unsigned int ring_shift, send_fn send)
{
	struct bench_host *b = bench_start();
	struct bench_chan *tx = bench_open(b, 0, chan, ring_shift);
	double start, end, best = 0;

	bench_thread_start(b);
	for (int run = 0; run <= RUNS; run++) {
		uint64_t bytes = 0;

		start = bench_now();
		do {
			for (int i = 0; i < 64; i++)
				bytes += send(tx);
			end = bench_now();
		} while (end - start < seconds);
		if (run && (double)bytes / (end - start) > best)
			best = (double)bytes / (end - start);
	}
	bench_thread_stop(b);
	assert_true(inproc_dma_faults(b->h.ip) == 0);
	bench_stop(b);
	return best;
}

static void print(const char *key, double value)
{
	printf("%s %.4g\n", key, value);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	double copy, stream;

	if (argc > 1)
		seconds = atof(argv[1]);
	copy = memcpy_rate(65536, 1 << 20);
	stream = receive_rate(CHAN_ID_SOURCE, SOURCE_BYTES, 65536, 20, receive_chunk);
	print("memcpy_64k_GBps", copy / 1e9);
	print("stream_64k_recv_GBps", stream / 1e9);
	print("stream_64k_memcpy_ratio", stream / copy);
	print("stream_32k_send_GBps", send_rate(CHAN_ID_SINK, 16, send_chunk) / 1e9);
	print("msg64_recv_single_Mps", receive_rate(CHAN_ID_SOURCE64, SOURCE_64, 65536, 18,
						    receive_one) / 64e6);
	print("msg64_recv_burst_Mps", receive_rate(CHAN_ID_SOURCE64, SOURCE_64, 65536, 18,
						   receive_burst) / 64e6);
	print("msg64_recv_in_place_Mps", receive_rate(CHAN_ID_SOURCE64, SOURCE_64, 65536, 18,
						      receive_in_place) / 64e6);
	print("msg64_send_single_Mps", send_rate(CHAN_ID_SINK64, 16, send_one) / 64e6);
	print("msg64_send_burst_Mps", send_rate(CHAN_ID_SINK64, 16, send_burst) / 64e6);
	return sink == 42;
}
