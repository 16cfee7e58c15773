// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_spsc.c - a bare ring between two threads: the most that two cores can pass to each other.
 *
 * usage: peer_spsc [SECONDS]
 */
#define _GNU_SOURCE
#include "bench_time.h"
#include "insn_count.h"
#include "spsc.h"

#define BURST	32

static uint64_t out[8];
static char *chunk;

static uint64_t send_one(void *ctx)
{
	out[0]++;
	if (!spsc_send(ctx, out, 64))
		bench_pause();
	return 0;
}

static uint64_t send_burst(void *ctx)
{
	uint64_t *to;
	uint32_t n = spsc_room(ctx, BURST, (void **)&to);

	for (uint32_t i = 0; i < n; i++)
		memcpy(to + 8 * i, out, 64);
	if (n)
		spsc_put(ctx, n);
	else
		bench_pause();
	return 0;
}

static uint64_t send_chunk(void *ctx)
{
	struct spsc *s = ctx;
	void *to;

	if (!spsc_room(s, 1, &to)) {
		bench_pause();
		return 0;
	}
	memcpy(to, chunk, s->size);
	spsc_put(s, 1);
	return 0;
}

static uint64_t recv_one(void *ctx)
{
	uint64_t buf[8];

	while (!spsc_recv(ctx, buf, 64))
		bench_pause();
	bench_sink += buf[0];
	return 1;
}

static uint64_t recv_burst(void *ctx)
{
	uint64_t buf[BURST][8];
	const void *from;
	uint32_t n;

	while (!(n = spsc_avail(ctx, BURST, &from)))
		bench_pause();
	memcpy(buf, from, 64 * n);
	spsc_get(ctx, n);
	for (uint32_t i = 0; i < n; i++)
		bench_sink += buf[i][0];
	return n;
}

static uint64_t recv_chunk(void *ctx)
{
	struct spsc *s = ctx;
	const void *from;

	while (!spsc_avail(s, 1, &from))
		bench_pause();
	bench_read(from, s->size);
	spsc_get(s, 1);
	return s->size;
}

/*
 * Receive messages of 64 bytes, of which the sender copies 64 KiB at a time, and read the first
 * word of each. This is the most that two cores of the machine pass to each other.
 */
static uint64_t recv_bulk(void *ctx)
{
	struct spsc *s = ctx;
	const void *from;

	while (!spsc_avail(s, 1, &from))
		bench_pause();
	for (uint32_t i = 0; i < s->size; i += 64)
		bench_sink += *(const uint64_t *)((const char *)from + i);
	spsc_get(s, 1);
	return s->size / 64;
}

static double rate(uint32_t slots, uint32_t size, bench_step send, bench_step recv)
{
	struct spsc *s = spsc_new(slots, size);
	double r = bench_peer_rate(send, recv, s);

	spsc_free(s);
	return r;
}

/* ---- round trips ---- */

static struct spsc *there, *back;

static uint64_t return_one(void *ctx)
{
	uint64_t buf[8];

	if (spsc_recv(there, buf, 64))
		spsc_send(back, buf, 64);
	return 0;
}

static uint64_t ping_pong(void *ctx)
{
	uint64_t buf[8];

	spsc_send(there, out, 64);
	while (!spsc_recv(back, buf, 64))
		__builtin_ia32_pause();
	return 1;
}

static void round_trip(void)
{
	struct bench_peer peer;

	there = spsc_new(64, 64);
	back = spsc_new(64, 64);
	bench_peer_start(&peer, return_one, NULL);
	bench_latency("spsc64_rtt", ping_pong, NULL);
	bench_peer_stop(&peer);
	spsc_free(there);
	spsc_free(back);
}

/* ---- instructions ---- */

#define COUNT	128

static void count_send_one(void *ctx)
{
	for (int i = 0; i < COUNT; i++)
		spsc_send(ctx, out, 64);
}

static void count_recv_one(void *ctx)
{
	uint64_t buf[8];

	for (int i = 0; i < COUNT; i++) {
		spsc_recv(ctx, buf, 64);
		bench_sink += buf[0];
	}
}

static void count_send_burst(void *ctx)
{
	for (int i = 0; i < COUNT; i += BURST)
		send_burst(ctx);
}

static void count_recv_burst(void *ctx)
{
	for (int i = 0; i < COUNT; i += BURST)
		recv_burst(ctx);
}

static void count(const char *send_name, void (*send)(void *ctx), const char *recv_name,
		  void (*recv)(void *ctx))
{
	struct spsc *s = spsc_new(4096, 64);

	insn_print("spsc64", send_name, send, s, COUNT);
	send(s);
	insn_print("spsc64", recv_name, recv, s, COUNT);
	spsc_free(s);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	chunk = aligned_alloc(4096, 65536);
	memset(chunk, 1, 65536);
	bench_print("spsc64_one_Mps", rate(4096, 64, send_one, recv_one) / 1e6);
	bench_print("spsc64_burst_Mps", rate(4096, 64, send_burst, recv_burst) / 1e6);
	bench_print("spsc64_bulk_Mps", rate(4, 65536, send_chunk, recv_bulk) / 1e6);
	bench_print("spsc1k_Mps", rate(256, 1024, send_chunk, recv_chunk) / 1024e6);
	bench_print("spsc_64k_GBps", rate(16, 65536, send_chunk, recv_chunk) / 1e9);
	round_trip();
	count("send_one", count_send_one, "recv_one", count_recv_one);
	count("send_burst", count_send_burst, "recv_burst", count_recv_burst);
	return bench_sink == 42;
}
