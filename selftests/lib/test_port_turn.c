// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_port_turn.c - a port serves its channels by turns, however many requests each
 * has; a request has its result; channels are locked; threads start their selects at
 * different channels. Over the firmware, as test_port_lib.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "stream.h"
#include "port_rig.h"
#include "ring_int.h"

#define MSGS	200

/* Two channels to the host, and one that makes the card send on both. */
struct two {
	struct rig r;
	struct chan ctl, one, other;
};

static void two_start(struct two *t, struct fw_host *h)
{
	rig_start(&t->r, h);
	chan_plain(&t->ctl, h, 30, CHAN_ID_LOAD_CTL, 12);
	chan_on(&t->one, &t->r, 0, CHAN_ID_LOAD, 18);
	chan_on(&t->other, &t->r, 1, CHAN_ID_LOAD, 18);
}

/* A request that is posted again as soon as it completes does not starve the other channel. */
static void test_again(void **state)
{
	unsigned int others = 0, requests = 0;
	struct nfpchan_event ev;
	struct nfpchan_async req;
	struct two t;
	char buf[64];

	two_start(&t, *state);
	recv_start(&t.one, &req, buf, sizeof(buf));
	load(&t.ctl, 2 * MSGS);
	for (unsigned int i = 0; i < MSGS; i++) {
		assert_int_equal(wait_now(&t.r, &ev, 1), 1);
		if (!ev.req) {
			assert_ptr_equal(ev.ch, &t.other.ch);
			others++;
			continue;
		}
		requests++;
		assert_int_equal(req.ret, 16);
		assert_int_equal(nfpchan_recv_async(&t.one.ch, &req), 0);
	}
	/* The two channels alternate, except at the start. */
	assert_in_range(others, MSGS / 2 - 2, MSGS / 2 + 2);
	assert_int_equal(requests + others, MSGS);
}

/*
 * A request is reported after at most two turns of the other channel, not after all its requests.
 */
static void test_many(void **state)
{
	static struct nfpchan_async req[MSGS], other[2];
	static char buf[MSGS + 2][16];
	unsigned int n, at = 0;
	struct nfpchan_event ev;
	struct two t;

	two_start(&t, *state);
	for (unsigned int i = 0; i < MSGS; i++)
		recv_start(&t.one, &req[i], buf[i], 16);
	for (unsigned int i = 0; i < 2; i++)
		recv_start(&t.other, &other[i], buf[MSGS + i], 16);
	load(&t.ctl, 2 * MSGS);
	/* The first record counts one message, the second all that have come. */
	for (n = 0; n < MSGS + 2; n++) {
		assert_int_equal(wait_now(&t.r, &ev, 1), 1);
		assert_int_equal(ev.req->ret, 16);
		if (ev.req == &other[1])
			at = n;
	}
	assert_in_range(at, 1, 2 * 64 + 4);
	assert_int_equal(wait_now(&t.r, &ev, 1), -EAGAIN);
}

/* ---- bytes of a stream ---- */

#define BYTES	100000	/* more than the rings and the ME process can hold */

/* Start three sends on a stream that nobody receives. Part of the second one is sent. */
static void part_sent(struct two *t, struct nfpchan_async *req)
{
	static char buf[BYTES];
	struct nfpchan_event ev;

	rig_start(&t->r, t->r.h);
	chan_on(&t->one, &t->r, 0, CHAN_ID_LOOP_IN, 12);
	for (unsigned int i = 0; i < 3; i++)
		send_start(&t->one, &req[i], buf, i ? BYTES : 3);
	assert_int_equal(wait_now(&t->r, &ev, 1), 1);
	assert_ptr_equal(ev.req, &req[0]);
	assert_int_equal(req[0].ret, 3);
	for (unsigned int i = 0; i < 100; i++)
		assert_int_equal(wait_now(&t->r, &ev, 1), -EAGAIN);
	assert_in_range(t->one.ch.ring.pos, 4096, BYTES - 1);
}

/* The second request completes with the bytes sent (@gone - 3), and the third with @why. */
static void rest_is(struct two *t, struct nfpchan_async *req, uint64_t gone, int why)
{
	struct nfpchan_event ev;

	for (unsigned int i = 1; i < 3; i++) {
		assert_int_equal(wait_now(&t->r, &ev, 1), 1);
		assert_ptr_equal(ev.req, &req[i]);
	}
	assert_int_equal(req[1].ret, gone - 3);
	assert_int_equal(req[2].ret, why);
}

static void test_part_closed(void **state)
{
	struct nfpchan_async req[3];
	struct two t = { .r.h = *state };

	part_sent(&t, req);
	chan_off(&t.one);
	rest_is(&t, req, t.one.ch.ring.pos, -ECANCELED);
}

static void test_part_fault(void **state)
{
	struct nfpchan_async req[3];
	struct two t = { .r.h = *state };

	part_sent(&t, req);
	end_doorbell(&t.one.end, RING_REG_DATA, 0x1ffff);
	rest_is(&t, req, t.one.ch.ring.pos, -EIO);
}

/* ---- a channel of one thread, on a port of several ---- */

/* A channel that counts its doorbells, and those without its lock. */
struct bell {
	struct chan chan;
	unsigned int rung;
	unsigned int unlocked;
};

static void bell_store(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct bell *b = ctx;

	b->rung++;
	b->unlocked += b->chan.ch.lock.word == LOCK_FREE;
	end_doorbell(&b->chan.end, reg, val);
}

static void alone_on(struct bell *b, struct rig *r)
{
	struct nfpchan *ch = &b->chan.ch;
	uint64_t cookie;

	memset(b, 0, sizeof(*b));
	assert_int_equal(port_reserve(&r->port, 0, &cookie), 0);
	end_open_on(&b->chan.end, r->h, 0, CHAN_ID_TICK, 12, &r->end, cookie);
	handle_init(ch, &b->chan.end, CHAN_ID_TICK);
	ch->ring.db.store = bell_store;
	ch->ring.db.ctx = b;
	ring_alone(&ch->ring, true);
	port_attach(&r->port, cookie, ch);
}

/* Receive messages. Their room is given back by the receive, or by the port's next look. */
static void bells(struct rig *r, struct bell *b)
{
	for (unsigned int i = 0; i < 10; i++) {
		tick(r);
		assert_ptr_equal(told_of(r), &b->chan.ch);
		assert_int_equal(drain(&b->chan), 1);
		tick(r);
		assert_ptr_equal(told_of(r), &b->chan.ch);
		assert_int_equal(nfpchan_recv(&b->chan.ch, (char[8]){ 0 }, 8, NFPCHAN_NONBLOCK), 8);
		assert_null(told_of(r));
	}
	assert_in_range(b->rung, 10, 1000);
}

static void test_alone(void **state)
{
	struct bell b;
	struct rig r;

	rig_start(&r, *state);
	alone_on(&b, &r);
	bells(&r, &b);
	assert_int_equal(b.unlocked, 0);
	assert_false(b.chan.ch.ring.fast);
	chan_off(&b.chan);
	/* The port is also used by one thread only: no lock is taken. */
	ring_alone(&r.port.ch.ring, true);
	alone_on(&b, &r);
	bells(&r, &b);
	assert_int_equal(b.unlocked, b.rung);
}

/* ---- several threads select among the same channels ---- */

#define SETS	8

static struct nfpchan_case sets[SETS];

/* Return which channel a new thread chooses first. All channels have a message. */
static void *first(void *arg)
{
	*(int *)arg = nfpchan_select(sets, SETS, NFPCHAN_NONBLOCK);
	return NULL;
}

/*
 * New threads begin with different channels, also if their stack is where that of an earlier
 * thread was.
 */
static void test_step(void **state)
{
	unsigned int seen[SETS] = { 0 }, all = 0;
	struct chan rx[SETS], ctl;
	pthread_t thread;
	int which;

	for (unsigned int i = 0; i < SETS; i++) {
		chan_plain(&rx[i], *state, i, CHAN_ID_LOAD, 18);
		sets[i] = (struct nfpchan_case){ .ch = &rx[i].ch, .guard = 1 };
	}
	chan_plain(&ctl, *state, 30, CHAN_ID_LOAD_CTL, 12);
	load(&ctl, SETS);
	for (unsigned int i = 0; i < 10 * SETS; i++) {
		assert_int_equal(pthread_create(&thread, NULL, first, &which), 0);
		pthread_join(thread, NULL);
		assert_in_range(which, 0, SETS - 1);
		all += !seen[which]++;
	}
	assert_int_equal(all, SETS);
	for (unsigned int i = 0; i < SETS; i++)
		assert_in_range(seen[i], 2, 10 * SETS / 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		T(test_again),
		T(test_many),
		T(test_part_closed),
		T(test_part_fault),
		T(test_alone),
		T(test_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
