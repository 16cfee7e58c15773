// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_insn.c - instructions of the host for each 64-byte message, and what the
 * messages cost on the PCIe link.
 *
 * usage: chan_insn
 *
 * Prints lines "KEY VALUE". Doorbells are stores to memory here, as they are
 * stores to a page of the card elsewhere; the board is told of them between two
 * measurements.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include "bench_chan.h"
#include "insn_count.h"
#include "stream.h"

#define BURST	32
#define COUNT	(4 * BURST)	/* messages of a measurement */

static struct bench_chan *chan;
static uint64_t buf[BURST][8];
static volatile uint32_t dummy[2];

static void recv_single(void *arg)
{
	(void)arg;
	for (int i = 0; i < COUNT; i++)
		nfpchan_recv(&chan->ch, buf[0], sizeof(buf[0]), NFPCHAN_FOREVER);
}

static void recv_batch(void *arg)
{
	(void)arg;
	for (int i = 0; i < COUNT; i += BURST)
		nfpchan_recv_many(&chan->ch, buf, BURST, NFPCHAN_FOREVER);
}

/* In place, the first word of each is looked at. */
static void recv_zc_batch(void *arg)
{
	uint64_t *sum = arg, s = 0;
	const void *data;

	for (int i = 0; i < COUNT; i += BURST) {
		const uint64_t *w;

		nfpchan_peek(&chan->ch, &data, NFPCHAN_FOREVER);
		w = data;
		for (int k = 0; k < BURST; k++)
			s += w[8 * k];
		nfpchan_consume(&chan->ch, sizeof(buf));
	}
	*sum = s;
}

static void send_single(void *arg)
{
	(void)arg;
	for (int i = 0; i < COUNT; i++)
		nfpchan_send(&chan->ch, buf[0], sizeof(buf[0]), NFPCHAN_FOREVER);
}

static void send_batch(void *arg)
{
	(void)arg;
	for (int i = 0; i < COUNT; i += BURST)
		nfpchan_send_many(&chan->ch, buf, BURST, NFPCHAN_FOREVER);
}

static void nothing(void *arg)
{
	(void)arg;
}

/*
 * Once before it is counted, in this process: symbols are bound then, and the
 * library's own state is what it is in the middle of a stream.
 */
static void measure(const char *key, void (*fn)(void *arg))
{
	static uint64_t sum;
	uint64_t n;

	fn(&sum);
	n = insn_count(fn, &sum) - insn_count(nothing, NULL);
	printf("%s %.1f\n", key, (double)n / COUNT);
}

static void to_memory(struct bench_chan *c)
{
	c->ch.ring.db.store = NULL;
	c->ch.ring.db.reg[0] = &dummy[0];
	c->ch.ring.db.reg[1] = &dummy[1];
	ring_alone(&c->ch.ring);
}

static void count_instructions(void)
{
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_SOURCE_CTL, 12);
	struct bench_chan *rx = bench_open(b, 1, CHAN_ID_SOURCE64, 16);
	struct bench_chan *tx = bench_open(b, 2, CHAN_ID_SINK64, 16);
	struct source_req req = { 64 * 1024, 65536, SOURCE_64 };
	const void *data;

	assert_true(nfpchan_send(&ctl->ch, &req, sizeof(req), NFPCHAN_NONBLOCK) == 0);
	bench_bus_drain(b);
	inproc_run(b->h.ip);
	/* The record of all: the first tells of a part. */
	nfpchan_recv(&rx->ch, buf, sizeof(buf[0]), NFPCHAN_NONBLOCK);
	ring_flush(&rx->ch.ring);
	bench_bus_drain(b);
	inproc_run(b->h.ip);
	chan = rx;
	to_memory(rx);
	assert_true(ring_ready(&rx->ch.ring) == 1);
	assert_true(nfpchan_peek(&rx->ch, &data, NFPCHAN_NONBLOCK) > 64 * 6 * COUNT);
	measure("msg64_insn_recv_single", recv_single);
	measure("msg64_insn_recv_batch", recv_batch);
	measure("msg64_insn_recv_zc_batch", recv_zc_batch);
	chan = tx;
	to_memory(tx);
	measure("msg64_insn_send_single", send_single);
	measure("msg64_insn_send_batch", send_batch);
	bench_stop(b);
}

int main(void)
{
	count_instructions();
	return 0;
}
