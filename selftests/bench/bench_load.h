/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_load.h - have the card send messages or a stream, and receive them. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <errno.h>
#include "bench_chan.h"
#include "test_apps.h"
#include "stream.h"

#define BENCH_BURST	32

/* Request an endless stream, sent @chunk bytes at a time (channels source, source64). */
static inline void bench_source(struct bench_chan *ctl, uint32_t chunk, uint32_t target)
{
	struct source_req req = { 1ull << 60, chunk, target };

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK) == 0);
}

/* Request endless messages of @size bytes (channel load). */
static inline void bench_load(struct bench_chan *ctl, uint32_t size)
{
	struct load_req req = { .count = UINT32_MAX, .size = size, .target = LOAD_LOAD };

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK) == 0);
}

/*
 * Start a board whose load process sends endless messages of 64 bytes. The request is made before
 * there is a receiver, and its pipe is closed, so that all pipes are free for receivers.
 */
static inline struct bench_host *bench_loaded(void)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_LOAD_CTL, 12);

	bench_load(ctl, 64);
	bench_run(b);
	bench_close(ctl);
	return b;
}

/* Return how many receives in turn reach each of @channels at least once. */
static inline unsigned int bench_turns(unsigned int channels)
{
	return channels < 32 ? 32 : channels;
}

/* Receive at most @most bytes in place and read all of them. Return their number, 0: none. */
static inline uint64_t bench_take(struct bench_chan *c, size_t most, int64_t timeout)
{
	const void *data;
	ssize_t n = nfpchan_peek(&c->ch, &data, timeout);

	if (n == -EAGAIN)
		return 0;
	assert_true(n > 0);
	if ((size_t)n > most)
		n = (ssize_t)most;
	bench_read(data, (size_t)n);
	assert_true(nfpchan_consume(&c->ch, (size_t)n) == 0);
	return (uint64_t)n;
}

/* Return the rate of @step on @c, with the board in its thread. Then stop @b. */
static inline double bench_chan_rate(struct bench_host *b, struct bench_chan *c, bench_step step)
{
	double rate;

	bench_thread_start(b);
	rate = bench_rate(step, c);
	bench_thread_stop(b);
	bench_stop(b);
	return rate;
}

static inline double bench_source_rate(unsigned int chan, unsigned int ring_shift, uint32_t target,
				       uint32_t chunk, bench_step step)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_SOURCE_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, chan, ring_shift);

	bench_source(ctl, chunk, target);
	return bench_chan_rate(b, rx, step);
}

static inline double bench_send_rate(unsigned int chan, bench_step step)
{
	struct bench_host *b = bench_start();

	return bench_chan_rate(b, bench_open(b, 0, chan, 16), step);
}

#endif /* BENCH_LOAD_H */
