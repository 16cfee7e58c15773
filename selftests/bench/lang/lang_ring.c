// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lang_ring.c - libnfpchan, and a channel of a board in this process, for a program in another
 * language. The program has the board fill the ring, and then measures its own receives.
 */
#define _GNU_SOURCE
#include "ring_int.h"
#include "bench/bench_load.h"

struct nfpchan *lang_ring_open(void);
unsigned int lang_ring_fill(void);

static struct bench_chan *rx;

/* Open a channel with messages of 64 bytes, as nfpchan_open() does without options. */
struct nfpchan *lang_ring_open(void)
{
	struct bench_host *b = bench_loaded();

	rx = bench_open(b, 1, CHAN_ID_LOAD, 18);
	ring_alone(&rx->ch.ring, false);
	rx->ch.layout.ring_size = rx->ch.ring.size;
	return &rx->ch;
}

/*
 * Have the board fill the ring, and write a record that shows all of it. Return how many messages
 * of 64 bytes are there.
 */
unsigned int lang_ring_fill(void)
{
	char buf[2048];

	nfpchan_recv(&rx->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	ring_flush(&rx->ch.ring);
	bench_run(rx->host);
	assert_true(nfpchan_wait(&rx->ch, NFPCHAN_NONBLOCK) == 0);
	nfpchan_recv(&rx->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	ring_flush(&rx->ch.ring);
	bench_run(rx->host);
	assert_true(nfpchan_wait(&rx->ch, NFPCHAN_NONBLOCK) == 0);
	return (unsigned int)((rx->ch.ring.peer - rx->ch.ring.pos) / 72);
}
