// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chan_dispatch.c - handlers on the threads of a pool: each message once, in order;
 * channels in parallel; closing the pool loses no message. The last check removes
 * the card.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "chan_test.h"

#define SENDERS	3
#define EACH	400

static struct nfpchan_dispatch *pool_start(unsigned int threads)
{
	struct nfpchan_dispatch *d;

	if (nfpchan_dispatch_open(&d, threads))
		give_up("dispatch", "cannot be opened");
	return d;
}

/* ---- order ---- */

struct order {
	uint32_t next[SENDERS];
	_Atomic unsigned int count;
	_Atomic unsigned int inside;
	_Atomic unsigned int bad;
};

static int in_order(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	struct order *o = arg;
	struct stamp s;

	o->bad += o->inside++ != 0;
	if (len < 0 || !msg_whole(msg, len, &s) || s.sender >= SENDERS ||
	    s.seq != o->next[s.sender])
		o->bad++;
	else
		o->next[s.sender]++;
	o->inside--;
	o->count++;
	return 0;
}

static struct nfpchan *echo_in;

static void *sender(void *arg)
{
	uint32_t who = (uint32_t)(uintptr_t)arg, i;

	for (i = 0; i < EACH; i++)
		if (stamp_send(echo_in, 12 + i % 500, who, i, WAIT_NS))
			break;
	return NULL;
}

static void ordered(int32_t spin_us, uint32_t flags)
{
	struct nfpchan *rx = chan_start_with("echo-out", OPTS(.spin_us = spin_us, .flags = flags));
	struct nfpchan_dispatch *d = pool_start(3);
	struct order order = { .count = 0 };
	pthread_t t[SENDERS];
	uintptr_t i;

	echo_in = chan_start("echo-in", 0);
	is(nfpchan_dispatch_add(d, rx, in_order, &order), 0, "a handler for a channel");
	is(nfpchan_dispatch_add(d, rx, in_order, &order), -EEXIST, "and not another");
	for (i = 0; i < SENDERS; i++)
		pthread_create(&t[i], NULL, sender, (void *)i);
	for (i = 0; i < SENDERS; i++)
		pthread_join(t[i], NULL);
	ok(UNTIL(order.count == SENDERS * EACH), "%d messages of %d senders", SENDERS * EACH,
	   SENDERS);
	is(order.bad, 0, "one at a time, each sender's in order");
	is(nfpchan_dispatch_remove(d, rx), 0, "the handler is removed");
	is(nfpchan_dispatch_remove(d, rx), -ENOENT, "once");
	is(stamp_send(echo_in, 12, 0, EACH, WAIT_NS), 0, "one more message");
	ok(stamp_is(stamp_recv(rx), 0, EACH), "is received as before");
	is(order.count, SENDERS * EACH, "and not handled");
	is(nfpchan_dispatch_close(d), 0, "closed");
	nfpchan_close(echo_in);
	nfpchan_close(rx);
}

/* ---- in parallel ---- */

struct meet {
	_Atomic int arrived;
	int self;
	struct meet *other;
	_Atomic bool met;
};

static int wait_for_other(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	struct meet *m = arg;

	m->arrived = 1;
	m->met = UNTIL(m->other->arrived);
	return 1;
}

static void beside(void)
{
	struct nfpchan *tick = chan_start("tick", NO_SPIN), *echo = chan_start("echo-out", NO_SPIN);
	struct nfpchan *tx = chan_start("echo-in", 0);
	struct nfpchan_dispatch *d = pool_start(2);
	struct meet a = { .arrived = 0 }, b = { .other = &a };

	a.other = &b;
	nfpchan_dispatch_add(d, tick, wait_for_other, &a);
	nfpchan_dispatch_add(d, echo, wait_for_other, &b);
	nfpchan_raise(tick);
	stamp_send(tx, 12, 0, 0, WAIT_NS);
	ok(UNTIL(a.met && b.met), "two channels' handlers run at a time");
	/* Both handlers ended their registration by their return value. */
	ok(UNTIL(nfpchan_dispatch_remove(d, tick) == -ENOENT &&
		 nfpchan_dispatch_remove(d, echo) == -ENOENT), "and take themselves out");
	nfpchan_raise(tick);
	is(nfpchan_wait(tick, WAIT_NS), 0, "messages that come after that stay in the channel");
	nfpchan_dispatch_close(d);
	nfpchan_close(tick);
	nfpchan_close(echo);
	nfpchan_close(tx);
}

/* ---- the end ---- */

#define LOAD_COUNT	500
#define LOAD_STOP	50

struct some {
	_Atomic unsigned int seen;
	_Atomic bool go;
	_Atomic unsigned int bad;
};

static int some(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	struct some *s = arg;

	s->bad += load_seq(msg, len, 100, 31) != ++s->seen;
	if (s->seen == LOAD_STOP)
		s->bad += !UNTIL(s->go);
	return 0;
}

static void *close_pool(void *arg)
{
	return (void *)(long)nfpchan_dispatch_close(arg);
}

static void ends(void)
{
	struct nfpchan *rx = chan_start("load", NO_SPIN);
	struct nfpchan_dispatch *d = pool_start(2);
	struct some s = { .seen = 0 };
	unsigned int i;
	pthread_t t;
	void *ret;

	nfpchan_dispatch_add(d, rx, some, &s);
	load_ask(LOAD_LOAD, LOAD_COUNT, 100, 31);
	ok(UNTIL(s.seen == LOAD_STOP), "a handler is at message %d", LOAD_STOP);
	pthread_create(&t, NULL, close_pool, d);
	/* This may come before or during the close: no message may be lost in either case. */
	s.go = true;
	pthread_join(t, &ret);
	is((long)ret, 0, "the pool ends");
	i = s.seen;
	printf("# after message %u of %d\n", i, LOAD_COUNT);
	while (i < LOAD_COUNT && load_recv(rx, 100, 31) == i + 1)
		i++;
	is(i, LOAD_COUNT, "those not handled are received, none is lost, none comes twice");
	is(s.bad, 0, "the handled messages were in order");
	nfpchan_close(rx);
}

/* ---- streams, errors ---- */

struct bytes {
	_Atomic size_t count;
	_Atomic unsigned int bad;
};

static int bytes(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	const uint8_t *b = msg;
	struct bytes *s = arg;
	ssize_t i;

	for (i = 0; i < len; i++)
		s->bad += b[i] != (uint8_t)((s->count + (size_t)i) * 7);
	s->count += (size_t)len;
	return 0;
}

static void stream(void)
{
	struct nfpchan *rx = chan_start("loop-out", NO_SPIN), *tx = chan_start("loop-in", 0);
	struct nfpchan_dispatch *d = pool_start(1);
	struct bytes s = { .count = 0 };
	static uint8_t buf[200000];
	size_t i;

	for (i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * 7);
	nfpchan_dispatch_add(d, rx, bytes, &s);
	is(nfpchan_write(tx, buf, sizeof(buf), WAIT_NS), sizeof(buf), "200000 bytes of a stream");
	ok(UNTIL(s.count == sizeof(buf)), "are handled");
	is(s.bad, 0, "as they were sent");
	is(nfpchan_dispatch_add(d, tx, bytes, &s), -EBADF, "a channel to the NFP");
	nfpchan_dispatch_close(d);
	nfpchan_close(rx);
	nfpchan_close(tx);
}

struct ended {
	struct nfpchan_dispatch *d;
	_Atomic long first;
	_Atomic long last;
	_Atomic int inner;
};

static int ended(void *arg, struct nfpchan *ch, const void *msg, ssize_t len)
{
	struct ended *e = arg;

	if (len >= 0) {
		e->inner = nfpchan_dispatch_close(e->d) == -EDEADLK &&
			   nfpchan_dispatch_remove(e->d, ch) == -EDEADLK;
		e->first = len;
	} else {
		e->last = msg ? 1 : len;
	}
	return 0;
}

/* The ME process sends a message and ends; at the end the driver is unbound. */
static void errors(void)
{
	struct nfpchan *ch = chan_start("once", NO_SPIN), *rx = chan_start("tick", NO_SPIN);
	struct nfpchan_dispatch *d = pool_start(0), *none = (void *)&none;
	struct ended e = { .d = d }, f = { .d = d };
	struct nfp_chan_info info;
	const void *data;

	is(nfpchan_dispatch_open(&none, 65), -EINVAL, "65 threads");
	ok(!none, "no pool");
	nfpchan_dispatch_add(d, ch, ended, &e);
	nfpchan_raise(ch);
	ok(UNTIL(e.last), "a process that ends");
	is(e.first, 8, "its message first");
	is(e.last, -EPIPE, "then EPIPE");
	ok(e.inner, "a handler can neither close its pool nor remove itself");
	ok(UNTIL(nfpchan_dispatch_remove(d, ch) == -ENOENT),
	   "the handler is not registered any more");
	nfpchan_raise(rx);
	is(nfpchan_borrow(rx, &data, WAIT_NS), 8, "a message is borrowed");
	is(nfpchan_dispatch_add(d, rx, ended, &f), -EBUSY, "the handler is not called meanwhile");
	nfpchan_release(rx, 1);
	is(nfpchan_dispatch_add(d, rx, ended, &f), 0,
	   "it is called after the message was given back");
	nfpchan_card_info(card, &info);
	file_put("/sys/bus/pci/drivers/nfp/unbind", info.pci);
	ok(UNTIL(f.last), "the card goes");
	is(f.last, -ENODEV, "the handler is called with the error");
	is(nfpchan_dispatch_close(d), 0, "the pool ends");
	nfpchan_close(ch);
	nfpchan_close(rx);
}

int main(void)
{
	struct in_use used;

	card_start();
	used = in_use();
	is(nfpchan_dispatch_close(NULL), 0, "no pool to close");
	ordered(NO_SPIN, 0);
	ordered(0, NFPCHAN_ALONE);
	ordered(SPIN_LONG, 0);
	beside();
	ends();
	stream();
	nothing_left(&used, "dispatch");
	errors();
	return tap_done();
}
