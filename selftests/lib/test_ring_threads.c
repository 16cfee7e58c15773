// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ring_threads.c - the library's ring code against a card in another
 * thread: the order of memory accesses is right, and no wake-up is lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>
#include "ring_peer.h"

#define MESSAGES	20000
#define WAKE_S		10	/* a wake-up later than this was lost */

/**
 * struct card - a peer that runs in its own thread
 * @p: its pipe; only the card's thread uses it
 * @data_wptr: the data doorbell register, in units
 * @arm_wptr: the arm register
 * @irq: interrupts raised so far
 * @raised: interrupts of @p that were added to @irq
 * @stop: tells the thread to end
 * @bad: a message had wrong data
 */
struct card {
	struct peer *p;
	uint64_t data_wptr;
	uint32_t arm_wptr;
	sem_t irq;
	unsigned int raised;
	bool stop;
	bool bad;
};

static void card_doorbell(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct card *c = ctx;

	if (reg == RING_REG_DATA)
		__atomic_add_fetch(&c->data_wptr, val, __ATOMIC_RELEASE);
	else
		__atomic_add_fetch(&c->arm_wptr, val, __ATOMIC_RELEASE);
}

/* The card reads its doorbell registers. */
static void card_look(struct card *c)
{
	struct peer *p = c->p;
	uint32_t arm = __atomic_load_n(&c->arm_wptr, __ATOMIC_ACQUIRE) & NFP_CHAN_ARM_MASK;

	p->told = __atomic_load_n(&c->data_wptr, __ATOMIC_ACQUIRE) * p->unit;
	if (arm != p->arm_reg) {
		p->arm_reg = arm;
		p->armed = true;
	}
	peer_fire(p);
	for (; c->raised != p->fired; c->raised++)
		sem_post(&c->irq);
}

static void *card_thread(void *arg)
{
	struct card *c = arg;
	uint32_t nr = 0, seed = 1;
	uint32_t msg[64];

	while (!__atomic_load_n(&c->stop, __ATOMIC_ACQUIRE)) {
		card_look(c);
		/* Random pauses, so that both sides meet in different places */
		seed = seed * 1664525 + 1013904223;
		if (!(seed >> 28))
			sched_yield();
		if (c->p->layout.dir == NFP_CHAN_TO_NFP) {
			long len = peer_recv(c->p, msg);

			if (len == -1)
				continue;
			c->bad |= len != (long)(4 + nr % 60 * 4) || msg[0] != nr ||
				  msg[len / 4 - 1] != nr;
			nr++;
		} else if (nr < MESSAGES) {
			uint32_t words = 1 + nr % 60;

			msg[0] = nr;
			msg[words - 1] = nr;
			if (peer_write(c->p, msg, words * 4)) {
				peer_note(c->p, NFP_CHAN_STATE_OPEN);
				nr++;
			}
		}
		card_look(c);
	}
	return NULL;
}

static void card_start(struct card *c, struct ring *r, const struct pipe_spec *s, pthread_t *t)
{
	memset(c, 0, sizeof(*c));
	c->p = peer_new(s, r);
	r->db = (struct ring_db){ .store = card_doorbell, .ctx = c };
	sem_init(&c->irq, 0, 0);
	assert_int_equal(pthread_create(t, NULL, card_thread, c), 0);
}

static void card_stop(struct card *c, pthread_t t)
{
	__atomic_store_n(&c->stop, true, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
	assert_false(c->bad);
	sem_destroy(&c->irq);
	peer_free(c->p);
}

/* Arm and wait for an interrupt, as a caller of nfpchan_arm() does. */
static unsigned int nap(struct card *c, struct ring *r)
{
	struct timespec until;
	int ret;

	ring_flush(r);
	ret = ring_arm(r);
	assert_true(ret >= 0);
	if (ret)
		return 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAKE_S;
	while ((ret = sem_timedwait(&c->irq, &until)) && errno == EINTR)
		;
	assert_int_equal(ret, 0);
	return 1;
}

static void receive(const struct pipe_spec *s)
{
	unsigned int naps = 0;
	const uint32_t *msg;
	struct card c;
	struct ring r;
	uint32_t nr, len;
	pthread_t t;
	int err;

	card_start(&c, &r, s, &t);
	for (nr = 0; nr < MESSAGES; nr++) {
		while ((err = ring_peek(&r, (const void **)&msg, &len)) == -EAGAIN)
			naps += nap(&c, &r);
		assert_int_equal(err, 0);
		assert_int_equal(len, 4 + nr % 60 * 4);
		assert_int_equal(msg[0], nr);
		assert_int_equal(msg[len / 4 - 1], nr);
		ring_take(&r, len);
		assert_int_equal(ring_release(&r, 1), 0);
	}
	card_stop(&c, t);
	assert_true(naps > 0);
}

static void test_receive(void **state)
{
	receive(&(struct pipe_spec){ .dir = NFP_CHAN_TO_HOST, .seq = 0xfffffff0 });
}

static void test_receive_rendezvous(void **state)
{
	receive(&(struct pipe_spec){ .dir = NFP_CHAN_TO_HOST, .rendezvous = true });
}

static void test_send(void **state)
{
	const struct pipe_spec s = { .dir = NFP_CHAN_TO_NFP, .depth = 3 };
	struct card c;
	struct ring r;
	uint32_t nr, msg[64] = { 0 };
	pthread_t t;
	int err;

	card_start(&c, &r, &s, &t);
	for (nr = 0; nr < MESSAGES; nr++) {
		msg[0] = nr;
		msg[nr % 60] = nr;
		while ((err = ring_put(&r, msg, 4 + nr % 60 * 4)) == -EAGAIN)
			nap(&c, &r);
		assert_int_equal(err, 0);
	}
	while ((err = ring_taken(&r, r.pos)) == -EAGAIN)
		nap(&c, &r);
	assert_int_equal(err, 0);
	card_stop(&c, t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_receive),
		cmocka_unit_test(test_receive_rendezvous),
		cmocka_unit_test(test_send),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
