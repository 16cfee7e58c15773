// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chain_oncard.c - the chain load -> echo -> pit of three ME processes: connected by links within
 * the card, and connected by the host, which receives from one channel and sends to the next.
 *
 * usage: chain_oncard [SECONDS]
 *
 * Rates: with the host in the chain, board and host have a core each. With links the host does
 * nothing. Costs: board and host take turns, so the counts are the same on every run. System calls
 * are those of the four handles.
 */
#define _GNU_SOURCE
#include "bench_load.h"
#include "chan_int.h"

#define MESSAGES	20000

enum { CTL, LOAD, ECHO_IN, ECHO_OUT, PIT, ENDS };

/**
 * struct chain - a chain
 * @b: host and board
 * @end: open pipes
 * @size: bytes of a message
 * @held: for each of the two ways through the host: bytes of a message that was received and finds
 *	no room yet, or -1
 * @msg: these messages
 * @seen: messages that the last process of the chain had received at the last look
 */
struct chain {
	struct bench_host *b;
	struct bench_chan *end[ENDS];
	uint32_t size;
	ssize_t held[2];
	uint8_t msg[2][LOAD_SIZE_MAX];
	uint64_t seen;
};

static void link_ends(struct bench_host *b, unsigned int from, unsigned int to)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .pipe = (uint16_t)from, .to = (uint16_t)to,
	};

	assert_true(fw_request_link(&b->h, &req) == NFP_CHAN_FW_OK);
}

static void chain_start(struct chain *c, uint32_t size, bool links)
{
	static const unsigned int chans[ENDS] = {
		CHAN_ID_LOAD_CTL, CHAN_ID_LOAD, CHAN_ID_ECHO_IN, CHAN_ID_ECHO_OUT, CHAN_ID_PIT,
	};

	memset(c, 0, sizeof(*c));
	c->b = bench_start();
	c->size = size;
	c->held[0] = c->held[1] = -1;
	for (unsigned int i = 0; i < ENDS; i++)
		c->end[i] = bench_open(c->b, i, chans[i], 18);
	if (!links)
		return;
	link_ends(c->b, LOAD, ECHO_IN);
	link_ends(c->b, ECHO_OUT, PIT);
}

/*
 * Return the messages that the last process has received. Read the counter in the card's memory: a
 * read over PCIe would be a TLP, and TLPs are counted here.
 */
static uint64_t carried(void)
{
	return __atomic_load_n(&chan_stat[CHAN_ID_PIT].msgs, __ATOMIC_RELAXED);
}

/* Run the board for a moment. Return the messages that have passed the chain. */
static uint64_t by_links(void *ctx)
{
	struct chain *c = ctx;
	uint64_t before = c->seen;

	for (int i = 0; i < 64; i++)
		board_run(c->b->h.host->b, 16);
	c->seen = carried();
	return c->seen - before;
}

/* Pass one message on. Return 1, or 0 if there is no message, or no room. */
static unsigned int relay(struct chain *c, unsigned int way, unsigned int from, unsigned int to)
{
	if (c->held[way] < 0)
		c->held[way] = nfpchan_recv(&c->end[from]->ch, c->msg[way], sizeof(c->msg[way]),
					    NFPCHAN_NONBLOCK);
	if (c->held[way] < 0)
		return 0;
	if (nfpchan_send(&c->end[to]->ch, c->msg[way], (size_t)c->held[way], NFPCHAN_NONBLOCK))
		return 0;
	c->held[way] = -1;
	return 1;
}

static uint64_t by_host(void *ctx)
{
	struct chain *c = ctx;
	uint64_t n = 0;

	for (int i = 0; i < 64; i++) {
		relay(c, 0, LOAD, ECHO_IN);
		n += relay(c, 1, ECHO_OUT, PIT);
	}
	return n;
}

static double rate(uint32_t size, bool links)
{
	struct chain c;
	double r;

	chain_start(&c, size, links);
	c.seen = carried();
	bench_load(c.end[CTL], size);
	bench_bus_drain(c.b);
	if (!links)
		bench_thread_start(c.b);
	r = bench_rate(links ? by_links : by_host, &c);
	if (!links)
		bench_thread_stop(c.b);
	bench_stop(c.b);
	return r;
}

/**
 * struct cost - what a run has cost
 * @tlps: TLPs of any kind
 * @cpu: TLPs that the host's CPU has begun
 * @irqs: interrupts
 * @calls: system calls of the handles
 */
struct cost {
	uint64_t tlps;
	uint64_t cpu;
	uint64_t irqs;
	uint64_t calls;
};

static struct cost cost_of(const struct chain *c)
{
	struct nfpchan_stats s = { .size = sizeof(s) };
	struct board_tlp_count n;
	struct cost cost = { 0 };

	for (int i = 0; i < BOARD_TLP_PURPOSES; i++) {
		board_tlp_get(c->b->h.host->b, (enum board_tlp)i, &n);
		cost.cpu += n.host_posted + n.host_nonposted;
		cost.tlps += n.host_posted + n.host_nonposted + n.dev_posted + n.dev_nonposted +
			     n.completions;
	}
	for (unsigned int i = LOAD; i < ENDS; i++) {
		assert_true(nfpchan_stats(&c->end[i]->ch, &s) == 0);
		cost.calls += s.sleeps;
		cost.irqs += fw_irqs(&(struct fw_pipe){ .h = &c->b->h, .index = i });
	}
	return cost;
}

/* Run until @n more messages have passed the chain. Board and host take turns. */
static void go_on(struct chain *c, uint64_t n, bool links)
{
	while (n) {
		uint64_t done = links ? by_links(c) : by_host(c);

		bench_bus_drain(c->b);
		if (!links)
			board_run(c->b->h.host->b, 16);
		n = done < n ? n - done : 0;
	}
}

/*
 * Print the cost of a message. The request to the load process and the first messages do not
 * count.
 */
static void count(uint32_t size, bool links, const char *name)
{
	struct cost before, after;
	struct chain c;
	double msgs;
	char key[64];

	chain_start(&c, size, links);
	c.seen = carried();
	bench_load(c.end[CTL], size);
	bench_bus_drain(c.b);
	go_on(&c, MESSAGES, links);
	before = cost_of(&c);
	msgs = (double)carried();
	go_on(&c, MESSAGES, links);
	after = cost_of(&c);
	msgs = (double)carried() - msgs;
	assert_true(msgs >= MESSAGES);
	snprintf(key, sizeof(key), "%s_tlps_per_msg%s", name, size == 64 ? "" : "_2k");
	bench_print(key, (double)(after.tlps - before.tlps) / msgs);
	if (links && size == 64) {
		bench_print("chain_cpu_tlps_per_msg", (double)(after.cpu - before.cpu) / msgs);
		bench_print("chain_irqs_per_msg", (double)(after.irqs - before.irqs) / msgs);
		bench_print("chain_syscalls_per_msg", (double)(after.calls - before.calls) / msgs);
	}
	bench_stop(c.b);
}

int main(int argc, char **argv)
{
	double card, host;

	bench_args(argc, argv);
	count(64, true, "oncard");
	count(64, false, "host_relay");
	count(2048, true, "oncard");
	count(2048, false, "host_relay");
	card = rate(64, true);
	host = rate(64, false);
	bench_print("oncard_64_Mps", card / 1e6);
	bench_print("host_relay_64_Mps", host / 1e6);
	bench_print("oncard_rate_vs_host_relay_64", card / host);
	card = rate(2048, true);
	host = rate(2048, false);
	bench_print("oncard_2k_Mps", card / 1e6);
	bench_print("host_relay_2k_Mps", host / 1e6);
	return 0;
}
