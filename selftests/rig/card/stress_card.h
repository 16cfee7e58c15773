/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stress_card.h - run the emulated card in one thread, and the library's handles in other
 * threads.
 *
 * Each handle has a queue that delivers its posted writes to the card in order. The threads share
 * only these queues and the rings with the card's thread, without a lock. A thread that opens a
 * channel, closes a channel or makes another request holds the card's lock, which stops the card.
 */
#ifndef STRESS_CARD_H
#define STRESS_CARD_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "handle.h"
#include "must.h"

#define STRESS_POSTED	256	/* size of a queue of posted writes, a power of 2 */
#define STRESS_WAKE_S	20	/* seconds after which an interrupt counts as lost */

enum stress_kind { STRESS_BELL, STRESS_INLINE };

struct stress_write {
	enum stress_kind kind;
	uint32_t at;
	uint32_t val;
};

struct stress_card;

/**
 * struct port - an open channel of a thread
 * @ch: the library's handle
 * @end: ring, record and control page of the handle
 * @card: the card
 * @irq: semaphore that interrupts of the channel post
 * @head: number of posted writes that the thread has made
 * @tail: number of posted writes that the card has taken
 * @posted: queue of the writes from @tail to @head
 */
struct port {
	struct nfpchan ch;
	struct end end;
	struct stress_card *card;
	sem_t irq;
	_Atomic uint32_t head;
	_Atomic uint32_t tail;
	struct stress_write posted[STRESS_POSTED];
};

/**
 * struct stress_card - a host and its card
 * @h: the host; @lock protects it
 * @lock: held while the card runs, or while another thread uses the host
 * @wanted: number of threads that wait for @lock; the card's thread lets them take it first
 * @thread: the card's thread
 * @stop: ask @thread to end
 * @ports: open channels by pipe; @lock protects them
 * @naps: number of sleeps that an interrupt has ended
 */
struct stress_card {
	struct fw_host h;
	pthread_mutex_t lock;
	atomic_uint wanted;
	pthread_t thread;
	atomic_bool stop;
	struct port *ports[NFP_CHAN_FW_PIPE_MAX];
	atomic_ulong naps;
};

static inline void port_post(struct port *p, enum stress_kind kind, uint32_t at, uint32_t val)
{
	uint32_t head = atomic_load_explicit(&p->head, memory_order_relaxed);

	while (head - atomic_load_explicit(&p->tail, memory_order_acquire) == STRESS_POSTED)
		sched_yield();
	p->posted[head % STRESS_POSTED] = (struct stress_write){ kind, at, val };
	atomic_store_explicit(&p->head, head + 1, memory_order_release);
}

static inline void port_bell(void *ctx, enum ring_reg reg, uint32_t val)
{
	port_post(ctx, STRESS_BELL, reg, val);
}

static inline void port_inline(void *ctx, uint32_t off, uint32_t val)
{
	port_post(ctx, STRESS_INLINE, off, val);
}

/* Deliver the port's posted writes to the card. The caller holds the card's lock. */
static inline void port_drain(struct port *p)
{
	uint32_t tail = atomic_load_explicit(&p->tail, memory_order_relaxed);

	while (tail != atomic_load_explicit(&p->head, memory_order_acquire)) {
		struct stress_write *w = &p->posted[tail % STRESS_POSTED];

		if (w->kind == STRESS_BELL)
			end_doorbell(&p->end, w->at, w->val);
		else
			end_inline(&p->end, w->at, w->val);
		atomic_store_explicit(&p->tail, ++tail, memory_order_release);
	}
}

static inline void card_lock(struct stress_card *c)
{
	atomic_fetch_add(&c->wanted, 1);
	pthread_mutex_lock(&c->lock);
	atomic_fetch_sub(&c->wanted, 1);
}

static inline void card_unlock(struct stress_card *c)
{
	pthread_mutex_unlock(&c->lock);
}

static inline void card_drain(struct stress_card *c)
{
	for (unsigned int i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		if (c->ports[i])
			port_drain(c->ports[i]);
}

static inline void *card_main(void *arg)
{
	struct stress_card *c = arg;
	unsigned int turn = 0;

	while (!atomic_load(&c->stop)) {
		bool more;

		while (atomic_load(&c->wanted))
			sched_yield();
		pthread_mutex_lock(&c->lock);
		card_drain(c);
		more = board_run(c->h.host->b, 1 + ++turn % 61);
		pthread_mutex_unlock(&c->lock);
		if (!more)
			sched_yield();
	}
	return NULL;
}

static inline void port_irq(void *arg, unsigned int vector)
{
	(void)vector;
	sem_post(&((struct port *)arg)->irq);
}

/* Open a channel. @req: the caller sets channel, pipe and options, and end_start() the rest. */
static inline struct port *port_start(struct stress_card *c, struct nfp_chan_fw_req req,
				      uint32_t inl_max)
{
	struct port *p = calloc(1, sizeof(*p));
	unsigned int pipe = req.pipe;

	must(p);
	p->card = c;
	sem_init(&p->irq, 0, 0);
	card_lock(c);
	end_start(&p->end, &c->h, req);
	p->end.r.inl_max = inl_max;
	host_on_irq(c->h.host, FW_VEC_PIPE + pipe, port_irq, p);
	c->ports[pipe] = p;
	card_unlock(c);
	handle_init(&p->ch, &p->end, req.chan);
	p->ch.policy.spin_ns = UINT64_MAX;	/* without a kernel, threads sleep in port_nap() */
	p->ch.ring.db.store = port_bell;
	p->ch.ring.db.inl_store = port_inline;
	p->ch.ring.db.ctx = p;
	return p;
}

static inline struct port *port_open(struct stress_card *c, unsigned int pipe, unsigned int chan,
				     unsigned int ring_shift, unsigned int inl, uint32_t inl_max)
{
	struct nfp_chan_fw_req req = {
		.pipe = (uint16_t)pipe, .chan = (uint16_t)chan,
		.ring_shift = (uint8_t)ring_shift, .inline_page = (uint8_t)inl,
	};

	return port_start(c, req, inl_max);
}

/* Close the channel; return how many messages were lost. */
static inline uint32_t port_close(struct port *p)
{
	struct stress_card *c = p->card;
	uint32_t lost;

	ring_flush(&p->ch.ring);
	card_lock(c);
	port_drain(p);
	c->ports[p->end.index] = NULL;
	lost = end_close(&p->end);
	host_arm(c->h.host, FW_VEC_PIPE + p->end.index, true);
	card_unlock(c);
	pthread_mutex_destroy(&p->ch.lock);
	sem_destroy(&p->irq);
	free(p);
	return lost;
}

/*
 * Arm, and sleep until the interrupt. @sure: abort if no interrupt comes; else return after 1 ms.
 */
static inline void port_nap(struct port *p, bool sure)
{
	struct timespec until;

	if (nfpchan_arm(&p->ch))
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += sure ? STRESS_WAKE_S : 0;
	until.tv_nsec += sure ? 0 : 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	if (!sem_timedwait(&p->irq, &until))
		atomic_fetch_add(&p->card->naps, 1);
	else
		must(!sure);
}

static inline void stress_start(struct stress_card *c)
{
	memset(c, 0, sizeof(*c));
	pthread_mutex_init(&c->lock, NULL);
	fw_host_start(&c->h);
	assert_int_equal(fw_hello(&c->h), NFP_CHAN_FW_OK);
	assert_int_equal(pthread_create(&c->thread, NULL, card_main, c), 0);
}

/* Stop the card's thread. After this the caller may use the card without the lock. */
static inline void stress_quiet(struct stress_card *c)
{
	atomic_store(&c->stop, true);
	pthread_join(c->thread, NULL);
	card_drain(c);
	host_run(c->h.host);
}

#endif /* STRESS_CARD_H */
