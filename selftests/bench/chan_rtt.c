// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_rtt.c - round trips from the host to a microengine and back.
 *
 * usage: chan_rtt [SECONDS]
 *
 * The times are those of the emulated card, which has a core to itself. Its microengines are
 * slower than silicon, and its link has no latency. chan_pcie counts the TLPs that wait for each
 * other: these tell what the link of a real card would add.
 */
#define _GNU_SOURCE
#include "bench_load.h"

#define LARGEST	32768	/* bytes of one write: half of the ring to the NFP */

static uint8_t out[65536], in[65536];

/**
 * struct loop - two channels, and an ME process that sends back what it receives
 * @b: host and board
 * @in: channel to the NFP
 * @out: channel to the host
 * @len: bytes of a round trip
 */
struct loop {
	struct bench_host *b;
	struct bench_chan *in;
	struct bench_chan *out;
	size_t len;
};

static uint64_t ping_pong(void *ctx)
{
	struct loop *l = ctx;
	size_t sent = 0, got = 0, len = l->len;
	ssize_t n;

	while (got < len) {
		if (sent < len) {
			n = (ssize_t)(len - sent < LARGEST ? len - sent : LARGEST);
			n = nfpchan_write(&l->in->ch, out + sent, (size_t)n, NFPCHAN_FOREVER);
			assert_true(n > 0);
			sent += (size_t)n;
		}
		do {
			n = nfpchan_read(&l->out->ch, in + got, len - got,
					 sent < len ? NFPCHAN_NONBLOCK : NFPCHAN_FOREVER);
			assert_true(n > 0 || n == -EAGAIN);
			if (n > 0)
				got += (size_t)n;
		} while (n > 0 && got < len);
	}
	return 1;
}

static uint64_t message(void *ctx)
{
	struct loop *l = ctx;

	assert_true(nfpchan_send(&l->in->ch, out, l->len, NFPCHAN_FOREVER) == 0);
	assert_true(nfpchan_recv(&l->out->ch, in, sizeof(in), NFPCHAN_FOREVER) > 0);
	return 1;
}

/* Some microseconds of computation, which needs no memory */
static uint64_t work(void *ctx)
{
	uint64_t x = bench_sink | 1;

	for (int i = 0; i < 4096; i++)
		x = x * 6364136223846793005u + 1;
	bench_sink = x;
	return 1;
}

static uint64_t then_work(void *ctx)
{
	message(ctx);
	return work(ctx);
}

/* Compute while the message is under way. */
static uint64_t with_work(void *ctx)
{
	struct loop *l = ctx;

	assert_true(nfpchan_send(&l->in->ch, out, l->len, NFPCHAN_FOREVER) == 0);
	work(ctx);
	assert_true(nfpchan_recv(&l->out->ch, in, sizeof(in), NFPCHAN_FOREVER) > 0);
	return 1;
}

/* Messages of up to @inline_max bytes go inline. 0: the card reads all of them. */
static void measure(const char *name, unsigned int in_id, unsigned int out_id, size_t len,
		    uint32_t inline_max)
{
	struct loop l = { .b = bench_start(), .len = len };
	bool stream = chan_desc[in_id].kind == NFP_CHAN_STREAM;

	l.in = bench_open_inline(l.b, 0, in_id, 16, inline_max);
	l.out = bench_open(l.b, 1, out_id, 16);
	bench_thread_start(l.b);
	bench_latency(name, stream ? ping_pong : message, &l);
	if (inline_max) {
		bench_latency("work", work, &l);
		bench_latency("rtt64_then_work", then_work, &l);
		bench_latency("rtt64_with_work", with_work, &l);
	}
	bench_thread_stop(l.b);
	bench_stop(l.b);
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	measure("rtt64", CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT, 64, 64);
	measure("rtt64_dma", CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT, 64, 0);
	measure("rtt64_elem", CHAN_ID_LOOP64_IN, CHAN_ID_LOOP64_OUT, 64, 0);
	measure("rtt1k", CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT, 1024, 0);
	measure("rtt64k", CHAN_ID_LOOP_IN, CHAN_ID_LOOP_OUT, 65536, 0);
	return 0;
}
