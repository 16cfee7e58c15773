// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_full.c - channels that are full. The card's sender waits or drops, by the channel's
 * policy; the host's sender gets an error or waits. Every message is counted.
 */
#define _GNU_SOURCE
#include "chan_test.h"

#define DEPTH_LOAD	64	/* depths of load, pour and echo-in */
#define DEPTH_POUR	4
#define DEPTH_ECHO	16
#define MANY		600
#define POUR		3000	/* messages on channel "pour", which drops when its ring is full */

/* Policy wait: the sender stalls, and everything arrives. */
static void full_wait(void)
{
	struct nfp_chan_query q, before = counters("load");
	struct nfpchan *rx = chan_start("load", 0);

	load_ask(LOAD_LOAD, MANY, MSG_MAX, 11);
	ok(UNTIL(counters("load").stalled > before.stalled), "policy wait: the sender stalls");
	q = counters("load");
	is(q.msgs - before.msgs, DEPTH_LOAD, "with as many messages as the channel is deep");
	is(q.stalled - before.stalled, 1, "counted once for the message that waits");
	is(load_all(rx, MANY, MSG_MAX, 11), MANY, "all are received, in order");
	q = counters("load");
	is(q.msgs - before.msgs, MANY, "all messages are counted");
	is(q.bytes - before.bytes, (long)MANY * MSG_MAX, "all bytes are counted");
	is(q.dropped - before.dropped, 0, "none was dropped");
	nfpchan_close(rx);
}

/* Without a receiver, the card's sender waits with its first message. */
static void no_receiver_wait(void)
{
	struct nfp_chan_query before = counters("load");
	struct nfpchan *rx;

	load_ask(LOAD_LOAD, 3, 100, 12);
	ok(UNTIL(counters("load").stalled - before.stalled == 1),
	   "policy wait, no receiver: the sender stalls");
	is(counters("load").msgs - before.msgs, 0, "nothing was carried");
	rx = chan_start("load", 0);
	is(load_all(rx, 3, 100, 12), 3, "the receiver that opens then gets all messages");
	is(counters("load").dropped - before.dropped, 0, "none was dropped");
	nfpchan_close(rx);
}

/* Return true if the card has carried and dropped @n messages together since @before. */
static bool poured(const struct nfp_chan_query *before, uint64_t n)
{
	struct nfp_chan_query q = counters("pour");

	return q.msgs + q.dropped - before->msgs - before->dropped == n;
}

/* Policy drop: the first messages fill the channel, the card drops the later ones. */
static void full_drop(void)
{
	struct nfp_chan_query q, before = counters("pour");
	struct nfpchan *rx = chan_start("pour", 0);
	char buf[MSG_MAX];

	load_ask(LOAD_POUR, MANY, MSG_MAX, 13);
	ok(UNTIL(poured(&before, MANY)), "policy drop: the sender has produced all messages");
	q = counters("pour");
	is(q.msgs - before.msgs, DEPTH_POUR, "as many as the channel is deep were carried");
	is(q.dropped - before.dropped, MANY - DEPTH_POUR, "the others were dropped");
	is(q.stalled - before.stalled, 0, "the sender did not wait");
	is(load_all(rx, DEPTH_POUR, MSG_MAX, 13), DEPTH_POUR, "the first are received");
	is(nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_NONBLOCK), -EAGAIN,
	   "there is no further message");
	nfpchan_close(rx);
}

/* Receive while the process sends: each message that is not received was counted as dropped. */
static void drop_count(void)
{
	struct nfp_chan_query q, before = counters("pour");
	struct nfpchan *rx = chan_start("pour", 0);
	uint64_t seq, last = 0;
	unsigned int got = 0, disorder = 0;
	char buf[MSG_MAX];
	bool end;
	ssize_t n;

	load_ask(LOAD_POUR, POUR, 64, 14);
	/*
	 * Receive until the process has sent all messages, and every carried message is received.
	 */
	do {
		end = poured(&before, POUR);
		q = counters("pour");
		n = nfpchan_recv(rx, buf, sizeof(buf), end ? WAIT_NS : NFPCHAN_NONBLOCK);
		if (n == -EAGAIN)
			continue;
		seq = load_seq(buf, n, 64, 14);
		disorder += seq <= last;
		last = seq;
		got++;
	} while (!end || got < q.msgs - before.msgs);
	is(got + q.dropped - before.dropped, POUR,
	   "received and dropped messages are all that were produced");
	is(q.msgs - before.msgs, got, "as many were carried as were received");
	is(disorder, 0, "messages are whole and in order");
	ok(got >= DEPTH_POUR && got < POUR, "of %u some were received and some dropped", POUR);
	printf("# received %u\n", got);
	nfpchan_close(rx);
}

static void no_receiver_drop(void)
{
	struct nfp_chan_query before = counters("pour");

	load_ask(LOAD_POUR, 50, 64, 15);
	ok(UNTIL(counters("pour").dropped - before.dropped == 50),
	   "policy drop, no receiver: all are dropped");
	is(counters("pour").msgs - before.msgs, 0, "nothing was carried");
}

/* Fill a channel to the NFP: its process holds one message, and its ring the channel's depth. */
static void full_to_nfp(void)
{
	struct nfp_chan_query before = counters("echo-in");
	struct nfpchan *tx = chan_start("echo-in", NO_SPIN), *rx;
	int fd = nfpchan_fd(tx);
	unsigned int i, silent = 0;

	is(stamp_send(tx, MSG_MAX, 1, 0, NFPCHAN_NONBLOCK), 0, "a message to the NFP");
	ok(UNTIL(counters("echo-in").msgs - before.msgs == 1), "the process takes the message");
	for (i = 1; i <= DEPTH_ECHO && !stamp_send(tx, MSG_MAX, 1, i, NFPCHAN_NONBLOCK); i++)
		silent += i < DEPTH_ECHO && events_of(fd, POLLOUT, 0) != POLLOUT;
	is(i - 1, DEPTH_ECHO, "the ring takes as many more as the channel is deep");
	is(silent, 0, "POLLOUT is set before each of them");
	is(stamp_send(tx, MSG_MAX, 1, i, NFPCHAN_NONBLOCK), -EAGAIN, "full: EAGAIN");
	is(nfpchan_wait(tx, NFPCHAN_NONBLOCK), -EAGAIN, "wait: EAGAIN");
	is(stamp_send(tx, MSG_MAX, 1, i, 1000000), -ETIMEDOUT, "send with a timeout: ETIMEDOUT");
	is(nfpchan_drain(tx, 1000000), -ETIMEDOUT, "drain: ETIMEDOUT");
	is(events_of(fd, POLLOUT, 0), 0, "poll: no POLLOUT");
	is(counters("echo-in").msgs - before.msgs, 1, "nothing more was taken");

	rx = chan_start("echo-out", 0);
	ok(stamp_is(stamp_recv(rx), 1, 0), "the first is received");
	is(events_of(fd, POLLOUT, WAIT_MS), POLLOUT, "poll: POLLOUT");
	is(nfpchan_wait(tx, NFPCHAN_NONBLOCK), 0, "wait: there is room");
	is(stamp_send(tx, MSG_MAX, 1, DEPTH_ECHO + 1, NFPCHAN_NONBLOCK), 0, "send");
	for (i = 1; i <= DEPTH_ECHO + 1 && stamp_is(stamp_recv(rx), 1, i); i++)
		;
	is(i - 1, DEPTH_ECHO + 1, "all sent messages are received, none of the refused");
	is(nfpchan_drain(tx, WAIT_NS), 0, "drained");
	is(counters("echo-in").dropped - before.dropped, 0, "none was dropped");
	nfpchan_close(tx);
	nfpchan_close(rx);
}

/* The depth is in bytes: the ring takes empty messages until their headers fill it. */
static void full_of_nothing(void)
{
	struct nfpchan *tx = chan_start("echo-in", 0), *rx;
	unsigned int most = nfpchan_layout(tx)->limit / sizeof(struct nfp_chan_hdr), n, got;
	struct nfp_chan_query before = counters("echo-in");
	char buf[MSG_MAX];

	is(stamp_send(tx, 0, 0, 0, WAIT_NS), 0, "an empty message");
	ok(UNTIL(counters("echo-in").msgs - before.msgs == 1), "the process takes the message");
	for (n = 0; n < most && !stamp_send(tx, 0, 0, 0, NFPCHAN_NONBLOCK); n++)
		;
	is(n, most, "the ring takes as many empty messages as headers fit");
	is(stamp_send(tx, 0, 0, 0, NFPCHAN_NONBLOCK), -EAGAIN, "the next empty message: EAGAIN");
	printf("# %u messages\n", n);
	rx = chan_start("echo-out", 0);
	for (got = 0; got <= n && !nfpchan_recv(rx, buf, sizeof(buf), WAIT_NS); got++)
		;
	is(got, n + 1, "all are received");
	is(counters("echo-in").bytes - before.bytes, 0, "the counter of bytes stays");
	nfpchan_close(tx);
	nfpchan_close(rx);
}

int main(void)
{
	struct in_use used;

	card_start();
	used = in_use();
	full_wait();
	no_receiver_wait();
	full_drop();
	drop_count();
	no_receiver_drop();
	full_to_nfp();
	full_of_nothing();
	nothing_left(&used, "full channels");
	return tap_done();
}
