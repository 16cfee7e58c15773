// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_link.c - links through the library: calls on the two channels, also in other threads,
 * which messages a link carries, how it ends.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"

#define MANY	20000

static struct nfpchan_link *must(struct nfpchan *from, struct nfpchan *to,
				 const struct nfpchan_link_opts *opts)
{
	struct nfpchan_link *link;
	char why[256];

	if (nfpchan_link_open(&link, from, to, opts))
		give_up("link", nfpchan_error(from, why, sizeof(why)));
	return link;
}

static struct nfp_chan_link_stat stat_of(struct nfpchan_link *link)
{
	struct nfp_chan_link_stat s;

	if (nfpchan_link_stats(link, &s))
		die("nfpchan_link_stats");
	return s;
}

static void refused(int want, struct nfpchan *from, struct nfpchan *to,
		    const struct nfpchan_link_opts *opts, const char *text)
{
	struct nfpchan_link *link = (void *)1;
	char why[256];

	is(nfpchan_link_open(&link, from, to, opts), want, text);
	ok(!link && strstr(nfpchan_error(from, why, sizeof(why)), text), "it says so: %s", why);
}

static void refusals(void)
{
	struct nfpchan *load = chan_start("load", 0), *in = chan_start("echo-in", 0);
	struct nfpchan *rv = chan_start("rv-in", 0), *sink = chan_start("sink", 0);
	struct nfpchan *source = chan_start("source64", 0), *lent;
	struct { struct nfpchan_link_opts o; int more; } later = { .o.size = sizeof(later), .more = 1 };
	struct nfpchan_link_opts nine = { .size = sizeof(nine), .match_len = 9 };
	struct nfpchan_link_opts word = { .size = sizeof(word), .hdr = "abc", .hdr_len = 3 };
	struct nfpchan_link_opts half = {
		.size = sizeof(half), .hdr = "abcd", .hdr_len = 4, .state_len = 2, .state_step = 1,
	};
	struct nfpchan_link_opts far = half;

	refused(-EBADF, in, load, NULL, "a link needs a channel to the host, and then a channel to the NFP");
	refused(-EMSGSIZE, load, rv, NULL, "up to 2048 bytes, header included; the other channel takes those of 256");
	refused(-EPROTOTYPE, load, sink, NULL, "a stream cannot be linked");
	refused(-E2BIG, load, in, &later.o, "a newer library");
	refused(-EINVAL, load, in, &nine, "at most 8 bytes");
	refused(-EINVAL, load, in, &word, "a multiple of 4");
	refused(-EINVAL, load, in, &half, "a state of 4 or 8 bytes");
	far.state_len = 4;
	far.state_off = 256;
	refused(-EINVAL, load, in, &far, "at a multiple of 4 of the header");
	if (nfpchan_open_return(&lent, card, "sink64", source, NULL))
		die("nfpchan_open_return");
	refused(-EBUSY, source, sink, NULL, "shares its ring");
	nfpchan_close(lent);
	nfpchan_close(source);
	nfpchan_close(sink);
	nfpchan_close(rv);
	nfpchan_close(in);
	nfpchan_close(load);
}

static void *recv_forever(void *arg)
{
	char buf[MSG_MAX];

	return (void *)(intptr_t)nfpchan_recv(arg, buf, sizeof(buf), NFPCHAN_FOREVER);
}

static void *wait_forever(void *arg)
{
	return (void *)(intptr_t)nfpchan_wait(arg, NFPCHAN_FOREVER);
}

static void ends(int32_t spin)
{
	struct nfpchan *load = chan_start("load", spin), *pit = chan_start("pit", spin);
	struct nfpchan_link *link;
	struct nfp_chan_link_stat s;
	pthread_t thread[2];
	const void *data;
	void *ret[2], *room;
	char buf[MSG_MAX];

	is(nfpchan_reserve(pit, &room, 8, WAIT_NS), 0, "room for a message");
	pthread_create(&thread[0], NULL, recv_forever, load);
	pthread_create(&thread[1], NULL, wait_forever, load);
	link = must(load, pit, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], &ret[i]);
		is((intptr_t)ret[i], -EISCONN, i ? "a wait in another thread" : "a receive in another thread");
	}
	is(nfpchan_recv(load, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EISCONN, "receive");
	ok(strstr(nfpchan_error(load, buf, sizeof(buf)), "load: the channel is linked"),
	   "it says so: %s", buf);
	is(nfpchan_borrow(load, &data, WAIT_NS), -EISCONN, "borrow");
	is(nfpchan_send(pit, buf, 8, NFPCHAN_NONBLOCK), -EISCONN, "send");
	is(nfpchan_commit(pit, 8), -EISCONN, "commit of a message that was begun before the link");
	load_ask(LOAD_LOAD, MANY, 64, 9);
	ok(UNTIL(stat_of(link).msgs == MANY), "%d messages go through", MANY);
	is(events_of(nfpchan_link_fd(link), POLLIN, 0), 0, "the link is up");
	nfpchan_link_close(link);
	is(nfpchan_recv(load, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN, "afterwards, receive");
	is(nfpchan_send(pit, buf, 8, WAIT_NS), 0, "and send");
	load_ask(LOAD_LOAD, 3, 64, 9);
	is(load_all(load, 3, 64, 9), 3, "and messages come");

	link = must(load, pit, NULL);
	nfpchan_close(pit);
	is(events_of(nfpchan_link_fd(link), POLLIN, (int)WAIT_MS), POLLHUP,
	   "a close of one channel ends the link");
	s = stat_of(link);
	is(s.state, NFP_CHAN_LINK_DOWN, "the link is down");
	is(nfpchan_recv(load, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN,
	   "the other channel works as before");
	nfpchan_link_close(link);
	nfpchan_close(load);
}

/* The link takes the messages with an odd number; the others go to the host. */
static void rules(void)
{
	struct nfpchan *odd = chan_start("load", 0), *rest = chan_start("load", 0);
	struct nfpchan *pit = chan_start("pit", 0), *tick = chan_start("tick", 0);
	struct nfpchan *pit64 = chan_start("pit64", 0);
	struct nfpchan_link_opts match = {
		.size = sizeof(match), .match_len = 1, .match_value = { 1 }, .match_mask = { 1 },
	};
	struct nfpchan_link_opts front = {
		.size = sizeof(front), .hdr_len = 56,
		.hdr = "fifty-six bytes, so that the tick fits where 64 are due.",
	};
	struct nfpchan_link *link = must(odd, pit, &match), *all;
	uint8_t buf[MSG_MAX];
	uint64_t seq = 2;

	load_ask(LOAD_LOAD, 40, 64, 9);
	while (seq <= 40 && load_seq(buf, nfpchan_recv(rest, buf, sizeof(buf), WAIT_NS), 64, 9) == seq)
		seq += 2;
	is((long)seq, 42, "messages that the link does not match stay on the channel");
	ok(UNTIL(stat_of(link).msgs == 20), "messages that it matches go through the link");
	all = must(rest, NULL, NULL);
	load_ask(LOAD_LOAD, 40, 64, 9);
	ok(UNTIL(stat_of(all).dropped == 20 && stat_of(link).msgs == 40),
	   "a link to nothing drops and counts the rest");
	nfpchan_link_close(all);
	nfpchan_link_close(link);
	link = must(tick, pit64, &front);
	is(nfpchan_raise(tick), 0, "a tick");
	ok(UNTIL(stat_of(link).msgs == 1 && stat_of(link).bytes == 8),
	   "is sent with the header in front");
	nfpchan_link_close(link);
	nfpchan_close(pit64);
	nfpchan_close(tick);
	nfpchan_close(pit);
	nfpchan_close(rest);
	nfpchan_close(odd);
}

/* A link with a state: a number in the header that the card counts up. */
static void state(void)
{
	struct nfpchan *tick = chan_start("tick", 0), *in = chan_start("echo-in", 0);
	struct nfpchan *out = chan_start("echo-out", 0);
	struct nfpchan_link_opts front = {
		.size = sizeof(front), .hdr = "front-16\xfe\xff\xff\xff\0\0\0", .hdr_len = 16,
		.state_off = 8, .state_len = 8, .state_step = 1,
	};
	struct nfpchan_link *link = must(tick, in, &front);
	uint64_t msg[3] = { 0 }, want = UINT32_MAX - 1ull;
	int n = 0;

	do {
		nfpchan_raise(tick);
	} while (nfpchan_recv(out, msg, sizeof(msg), WAIT_NS) == sizeof(msg) &&
		 !memcmp(msg, "front-16", 8) && msg[1] == want++ && ++n < 4);
	is(n, 4, "the state counts on past 32 bits");
	nfpchan_link_close(link);
	nfpchan_close(out);
	nfpchan_close(in);
	nfpchan_close(tick);
}

int main(void)
{
	struct in_use before;

	card_start();
	before = in_use();
	refusals();
	ends(NO_SPIN);
	ends(100);
	rules();
	state();
	nothing_left(&before, "all of them");
	return tap_done();
}
