// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_echo.c - what it costs to receive a message of 64 bytes and send it back, by the number of
 * receivers.
 *
 * Each receiver has a pipe in both directions, as a thread on a core for itself would have, so the
 * receivers share nothing but the card. The card gives each message to one of them. Board and
 * receivers take turns in one thread: instructions and TLPs do not depend on the machine's cores.
 */
#define _GNU_SOURCE
#include "bench_link.h"
#include "bench_load.h"
#include "insn_count.h"

#define RECEIVERS	16	/* at most: a card has 32 pipes */
#define MESSAGES	20000

static struct bench_chan *rx[RECEIVERS], *tx[RECEIVERS];
static unsigned int receivers;

/* Send back a burst of what is there. Return the number of messages. */
static unsigned int turn(unsigned int i)
{
	struct nfpchan_msg msgs[BENCH_BURST];
	ssize_t n = nfpchan_borrow_many(&rx[i]->ch, msgs, BENCH_BURST, NFPCHAN_NONBLOCK);

	if (n < 0)
		return 0;
	if (nfpchan_send_msgs(&tx[i]->ch, msgs, (size_t)n, NFPCHAN_NONBLOCK) != n)
		abort();
	nfpchan_release(&rx[i]->ch, (size_t)n);
	return (unsigned int)n;
}

static void all_turns(void *arg)
{
	unsigned int *messages = arg;

	for (unsigned int i = 0; i < receivers; i++)
		*messages += turn(i);
}

/* Let host and board take turns until MESSAGES were sent back. Return how many were. */
static unsigned int echo(struct bench_host *b)
{
	unsigned int n = 0;

	while (n < MESSAGES) {
		all_turns(&n);
		bench_run(b);
	}
	return n;
}

static void measure(void)
{
	struct bench_host *b = bench_loaded();
	struct board_tlp_count sum;
	unsigned int messages;
	char name[32];

	for (unsigned int i = 0; i < receivers; i++) {
		rx[i] = bench_open(b, i, CHAN_ID_LOAD, 18);
		tx[i] = bench_open(b, RECEIVERS + i, CHAN_ID_PIT, 18);
	}
	bench_run(b);
	echo(b);
	board_tlp_clear(b->h.host->b);
	messages = echo(b);
	link_sum(b->h.host->b, &sum);
	snprintf(name, sizeof(name), "echo%u", receivers);
	link_print_sum(name, &sum, messages);
	for (unsigned int i = 0; i < receivers; i++) {
		bench_to_memory(&rx[i]->ch.ring);
		bench_to_memory(&tx[i]->ch.ring);
	}
	printf("%s_insn %.1f\n", name, (double)insn_cost(all_turns, &messages) /
	       (receivers * BENCH_BURST));
	/* The count was of a child process. This process takes the same turn. */
	messages = 0;
	all_turns(&messages);
	assert_true(messages == receivers * BENCH_BURST);
	bench_stop(b);
}

int main(void)
{
	for (receivers = 1; receivers <= RECEIVERS; receivers *= 2)
		measure();
	return 0;
}
