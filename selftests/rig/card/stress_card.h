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
#include "slowly.h"

#define STRESS_POSTED	256	/* size of a queue of posted writes, a power of 2 */
#define STRESS_WAKE_S	slowly(20)	/* seconds after which an interrupt counts as lost */

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

void port_post(struct port *p, enum stress_kind kind, uint32_t at, uint32_t val);

/* Deliver the port's posted writes to the card. The caller holds the card's lock. */
void port_drain(struct port *p);
void card_lock(struct stress_card *c);

static inline void card_unlock(struct stress_card *c)
{
	pthread_mutex_unlock(&c->lock);
}

void card_drain(struct stress_card *c);

/* Open a channel. @req: the caller sets channel, pipe and options, and end_start() the rest. */
struct port *port_start(struct stress_card *c, struct nfp_chan_fw_req req, uint32_t inl_max);
struct port *port_open(struct stress_card *c, unsigned int pipe, unsigned int chan,
		       unsigned int ring_shift, unsigned int inl, uint32_t inl_max);

/* Close the channel; return how many messages were lost. */
uint32_t port_close(struct port *p);

/*
 * Arm, and sleep until the interrupt. @sure: abort if no interrupt comes; else return after 1 ms.
 */
void port_nap(struct port *p, bool sure);
void stress_start(struct stress_card *c);

/* Stop the card's thread. After this the caller may use the card without the lock. */
void stress_quiet(struct stress_card *c);

#endif /* STRESS_CARD_H */
