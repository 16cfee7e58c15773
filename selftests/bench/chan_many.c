// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_many.c - instructions for each 64-byte message, by the number of channels that a thread
 * receives from.
 *
 * A card offers 32 pipes, so there are up to 32 channels. "in turn": the thread receives one
 * message from each channel. "busy": all channels have messages, and nfpchan_select() receives one
 * from any of them. "sparse": only one channel has messages. nfpchan_select() begins at a random
 * channel, so the figure is the mean of several calls.
 */
#define _GNU_SOURCE
#include "bench_load.h"
#include "insn_count.h"

#define PIPES	NFP_CHAN_FW_PIPE_MAX
#define SELECTS	16

static struct bench_chan *rx[PIPES];
static struct nfpchan_case cases[PIPES];
static uint64_t buf[8];
static unsigned int channels;

static struct bench_host *open_all(void)
{
	struct bench_host *b = bench_loaded();

	for (unsigned int i = 0; i < channels; i++) {
		rx[i] = bench_open(b, i, CHAN_ID_LOAD, 18);
		cases[i] = (struct nfpchan_case){ &rx[i]->ch, buf, sizeof(buf), 1, 0 };
	}
	bench_run(b);
	return b;
}

static void take_all(struct bench_chan *c)
{
	do
		bench_bus_drain(c->host);
	while (nfpchan_recv(&c->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) >= 0);
}

static void select_some(void *arg)
{
	for (unsigned int i = 0; i < SELECTS; i++)
		if (nfpchan_select(cases, channels, NFPCHAN_NONBLOCK) < 0)
			abort();
}

static void in_turn(void *arg)
{
	for (unsigned int i = 0, n = bench_turns(channels); i < n; i++)
		if (nfpchan_recv(&rx[i % channels]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) < 0)
			abort();
}

static void measure(void)
{
	struct bench_host *b = open_all();
	char kind[32];

	/*
	 * The first record shows one message. Receive it, so that the next record shows all
	 * others.
	 */
	for (unsigned int i = 0; i < channels; i++)
		take_all(rx[i]);
	bench_run(b);
	for (unsigned int i = 0; i < channels; i++) {
		nfpchan_recv(&rx[i]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
		bench_to_memory(&rx[i]->ch.ring);
	}
	snprintf(kind, sizeof(kind), "channels%u", channels);
	insn_print(kind, "in_turn", in_turn, NULL, bench_turns(channels));
	insn_print(kind, "select_busy", select_some, NULL, SELECTS);
	/*
	 * Empty all channels but the last. Their doorbells no longer reach the board: no record
	 * comes.
	 */
	for (unsigned int i = 0; i + 1 < channels; i++)
		while (nfpchan_recv(&rx[i]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) >= 0)
			;
	insn_print(kind, "select_sparse", select_some, NULL, SELECTS);
	bench_stop(b);
}

int main(void)
{
	for (channels = 1; channels <= PIPES; channels *= 2)
		measure();
	return 0;
}
