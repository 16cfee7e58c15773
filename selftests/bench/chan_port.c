// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_port.c - instructions for each 64-byte message, by the number of channels
 * that report to a port.
 *
 * usage: chan_port
 *
 * As many as a card offers pipes for, but for the port's own. "busy": there is a
 * message in all of them; "sparse": one of them has messages. "wait": those that
 * nfpchan_port_wait() tells of are received from; "select": nfpchan_select() on all.
 */
#define _GNU_SOURCE
#include "bench_load.h"
#include "insn_count.h"
#include "../../userspace/lib/port.h"

#define PORT	(NFP_CHAN_FW_PIPE_MAX - 1)	/* its pipe, and channels at most */
#define SELECTS	32

static struct nfpchan_port port;
static struct bench_chan *rx[PORT];
static struct nfpchan_case cases[PORT];
static uint64_t buf[8];
static unsigned int channels;
static volatile uint32_t dummy[2];

static void to_memory(struct ring *r)
{
	r->db.store = NULL;
	r->db.reg[0] = &dummy[0];
	r->db.reg[1] = &dummy[1];
}

static void chan_add(struct bench_host *b, unsigned int i)
{
	struct nfp_chan_fw_req req = {
		.pipe = (uint16_t)i, .chan = CHAN_ID_LOAD, .ring_shift = 18, .port = PORT + 1,
	};
	uint64_t cookie;

	assert_true(port_reserve(&port, &cookie) == 0);
	req.cookie = cookie;
	rx[i] = bench_open_req(b, req);
	port_attach(&port, cookie, &rx[i]->ch);
	cases[i] = (struct nfpchan_case){ &rx[i]->ch, buf, sizeof(buf), 1, 0 };
}

/* Messages on all channels, of which the port has told: as in chan_many.c. */
static struct bench_host *open_all(void)
{
	struct nfp_chan_fw_req req = {
		.pipe = PORT, .chan = NFP_CHAN_FW_CHAN_PORT, .ring_shift = 12,
	};
	struct bench_host *b = bench_start();
	struct bench_chan *ctl = bench_open(b, 0, CHAN_ID_LOAD_CTL, 12), *pipe;
	struct nfpchan_event ev[PORT];

	bench_load(ctl, 64);
	bench_run(b);
	bench_close(ctl);
	pipe = bench_open_req(b, req);
	memset(&port, 0, sizeof(port));
	port.ch = pipe->ch;
	port_init(&port, -1);
	for (unsigned int i = 0; i < channels; i++)
		chan_add(b, i);
	/* Records are reactive: what the first ones tell of goes. */
	for (unsigned int i = 0; i < 8; i++) {
		int n;

		bench_run(b);
		n = nfpchan_port_wait(&port, ev, PORT, NFPCHAN_NONBLOCK);
		for (int k = 0; k < n; k++)
			nfpchan_recv(ev[k].ch, buf, sizeof(buf), NFPCHAN_NONBLOCK);
	}
	bench_run(b);
	nfpchan_port_wait(&port, ev, PORT, NFPCHAN_NONBLOCK);
	to_memory(&port.ch.ring);
	for (unsigned int i = 0; i < channels; i++)
		to_memory(&rx[i]->ch.ring);
	return b;
}

static void select_some(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < SELECTS; i++)
		if (nfpchan_select(cases, channels, NFPCHAN_NONBLOCK) < 0)
			abort();
}

/* Who is told of a channel takes one message of it. */
static void wait_some(void *arg)
{
	struct nfpchan_event ev[8];
	int n;

	(void)arg;
	for (unsigned int i = 0; i < SELECTS; i += (unsigned int)n) {
		n = nfpchan_port_wait(&port, ev, SELECTS - i < 8 ? SELECTS - i : 8,
				      NFPCHAN_NONBLOCK);
		if (n <= 0)
			abort();
		for (int k = 0; k < n; k++)
			if (nfpchan_recv(ev[k].ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) < 0)
				abort();
	}
}

static void nothing(void *arg)
{
	(void)arg;
}

static void count(const char *what, void (*fn)(void *arg))
{
	double n = (double)(insn_count(fn, NULL) - insn_count(nothing, NULL)) / SELECTS;

	printf("channels%u_insn_port_%s %.1f\n", channels, what, n);
}

static void measure(void)
{
	struct bench_host *b = open_all();

	/* Once before it is counted: where each case is has been found then. */
	select_some(NULL);
	wait_some(NULL);
	count("wait_busy", wait_some);
	count("select_busy", select_some);
	/* All but the last are quiet: what they have is taken, and no more is told. */
	for (unsigned int i = 0; i + 1 < channels; i++)
		while (nfpchan_recv(&rx[i]->ch, buf, sizeof(buf), NFPCHAN_NONBLOCK) >= 0)
			;
	wait_some(NULL);
	count("wait_sparse", wait_some);
	count("select_sparse", select_some);
	bench_stop(b);
}

int main(void)
{
	for (channels = 1; channels < PORT; channels *= 2)
		measure();
	channels = PORT;
	measure();
	return 0;
}
