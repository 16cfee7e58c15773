/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_load.h - what the card is asked to send, and ways to take it. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <errno.h>
#include "bench_chan.h"
#include "echo.h"
#include "stream.h"

#define BENCH_BURST	32

/* An endless stream, sent @chunk bytes at a time (channels source, source64). */
static inline void bench_source(struct bench_chan *ctl, uint32_t chunk, uint32_t target)
{
	struct source_req req = { 1ull << 60, chunk, target };

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK) == 0);
}

/* Endless messages of @size bytes (channel load). */
static inline void bench_load(struct bench_chan *ctl, uint32_t size)
{
	struct load_req req = { .count = UINT32_MAX, .size = size, .target = LOAD_LOAD };

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK) == 0);
}

/* In place, at most @most bytes of what is there, all of it looked at. */
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

#endif /* BENCH_LOAD_H */
