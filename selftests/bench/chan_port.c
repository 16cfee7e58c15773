// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_port.c - instructions for each 64-byte message, by the number of channels that report to a
 * port.
 *
 * A card offers 32 pipes, and the port takes one of them. So more than 31 channels are on several
 * cards, up to nine, which all report to one port. "busy": all channels have messages. "sparse":
 * one channel has messages. "wait": the thread receives from the channels that nfpchan_port_wait()
 * names. "select": the thread calls nfpchan_select() on all channels.
 *
 * A process has one board at a time, so the cards are set up one after another: when the rings
 * have a card's messages, its board ends and the next card's begins. Only the host's part is
 * counted, which needs no board.
 */
#define _GNU_SOURCE
#include "bench_load.h"
#include "insn_count.h"
#include "port.h"

#define PORT	(NFP_CHAN_FW_PIPE_MAX - 1)	/* the port's pipe; also, channels of a card */
#define MOST	256
#define CARDS	((MOST + PORT - 1) / PORT)

static struct nfpchan_port port;
static struct bench_chan *legs[CARDS], *rx[MOST];
static struct nfp_chan_note notes[CARDS + MOST];
static struct nfpchan_case cases[MOST];
static uint64_t buf[8];
static unsigned int channels, turns;

/*
 * Copy the record to @note, because the board's memory goes away. Doorbells reach nobody from
 * here.
 */
static void keep(struct ring *r, struct nfp_chan_note *note)
{
	*note = *r->note;
	r->note = note;
	bench_to_memory(r);
}

static void leg_add(struct bench_host *b, unsigned int card)
{
	struct nfp_chan_fw_req req = {
		.pipe = PORT, .chan = NFP_CHAN_ID_PORT, .ring_shift = 12,
	};

	legs[card] = bench_open_req(b, req);
	if (card) {
		assert_true(port_join(&port, &legs[card]->ch, card) == 0);
		return;
	}
	memset(&port, 0, sizeof(port));
	port.ch = legs[0]->ch;
	port_init(&port, -1);
}

static void chan_add(struct bench_host *b, unsigned int card, unsigned int i)
{
	struct nfp_chan_fw_req req = {
		.pipe = i % PORT, .chan = CHAN_ID_LOAD, .ring_shift = 18, .port = PORT + 1,
	};
	uint64_t cookie;

	assert_true(port_reserve(&port, card, &cookie) == 0);
	req.cookie = cookie;
	rx[i] = bench_open_req(b, req);
	port_attach(&port, cookie, &rx[i]->ch);
	cases[i] = (struct nfpchan_case){ &rx[i]->ch, buf, sizeof(buf), 1, 0 };
}

/* Set up a card whose channels all have messages, and are all reported by the port. */
static void open_card(unsigned int card)
{
	unsigned int first = card * PORT, end = first + PORT < channels ? first + PORT : channels;
	struct bench_host *b = bench_loaded();
	struct nfpchan_event ev[MOST];

	leg_add(b, card);
	for (unsigned int i = first; i < end; i++)
		chan_add(b, card, i);
	/* The first records show few messages. Receive them, so that later records show all. */
	for (unsigned int k = 0; k < 8; k++) {
		bench_run(b);
		nfpchan_port_wait(&port, ev, MOST, NFPCHAN_NONBLOCK);
		for (unsigned int i = first; i < end; i++)
			nfpchan_recv(&rx[i]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	}
	bench_run(b);
	nfpchan_port_wait(&port, ev, MOST, NFPCHAN_NONBLOCK);
	keep(&port.legs[card].ch->ring, &notes[MOST + card]);
	for (unsigned int i = first; i < end; i++)
		keep(&rx[i]->ch.ring, &notes[i]);
	bench_stop(b);
}

static void free_all(void)
{
	port_exit(&port);
	for (unsigned int i = 0; i < channels; i++)
		bench_free(rx[i]);
	for (unsigned int i = 0; i < port.leg_count; i++)
		bench_free(legs[i]);
}

static void select_some(void *arg)
{
	for (unsigned int i = 0; i < turns; i++)
		if (nfpchan_select(cases, channels, NFPCHAN_NONBLOCK) < 0)
			abort();
}

/* Wait for the port, and have @receive take messages of each channel that it names. */
static inline __attribute__((always_inline)) void wait_each(void (*receive)(struct nfpchan *ch))
{
	struct nfpchan_event ev[8];
	int n;

	for (unsigned int i = 0; i < turns; i += (unsigned int)n) {
		n = nfpchan_port_wait(&port, ev, turns - i < 8 ? turns - i : 8, NFPCHAN_NONBLOCK);
		if (n <= 0)
			abort();
		for (int k = 0; k < n; k++)
			receive(ev[k].ch);
	}
}

static inline void receive_one(struct nfpchan *ch)
{
	if (nfpchan_recv(ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) < 0)
		abort();
}

/* The channel has more messages. */
static inline void receive_burst(struct nfpchan *ch)
{
	static struct nfpchan_msg msgs[BENCH_BURST];
	static char room[BENCH_BURST * 64];

	if (nfpchan_recv_msgs(ch, room, sizeof(room), msgs, BENCH_BURST, NFPCHAN_NONBLOCK) !=
	    BENCH_BURST)
		abort();
}

static void wait_some(void *arg)
{
	wait_each(receive_one);
}

static void wait_burst(void *arg)
{
	wait_each(receive_burst);
}

static void measure(void)
{
	char kind[32];

	snprintf(kind, sizeof(kind), "channels%u", channels);
	for (unsigned int card = 0; card * PORT < channels; card++)
		open_card(card);
	/* Run once before counting: select then knows the place of each case. */
	select_some(NULL);
	wait_some(NULL);
	insn_print(kind, "port_wait_busy", wait_some, NULL, turns);
	insn_print(kind, "port_select_busy", select_some, NULL, turns);
	insn_print(kind, "port_burst_busy", wait_burst, NULL, turns * BENCH_BURST);
	/* Empty all channels but the last. No records come for them. */
	for (unsigned int i = 0; i + 1 < channels; i++)
		while (nfpchan_recv(&rx[i]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) >= 0)
			;
	wait_some(NULL);
	insn_print(kind, "port_wait_sparse", wait_some, NULL, turns);
	insn_print(kind, "port_select_sparse", select_some, NULL, turns);
	free_all();
}

int main(void)
{
	static const unsigned int counts[] = { 1, 2, 4, 8, 16, 31, 62, 124, 256 };

	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		channels = counts[i];
		turns = bench_turns(channels);
		measure();
	}
	return 0;
}
