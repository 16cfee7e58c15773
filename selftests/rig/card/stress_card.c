// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stress_card.c - see stress_card.h. */
#define _GNU_SOURCE
#define FW_HOST_PLAIN
#include "stress_card.h"

void port_post(struct port *p, enum stress_kind kind, uint32_t at, uint32_t val)
{
	uint32_t head = atomic_load_explicit(&p->head, memory_order_relaxed);

	while (head - atomic_load_explicit(&p->tail, memory_order_acquire) == STRESS_POSTED)
		sched_yield();
	p->posted[head % STRESS_POSTED] = (struct stress_write){ kind, at, val };
	atomic_store_explicit(&p->head, head + 1, memory_order_release);
}

static void port_bell(void *ctx, enum ring_reg reg, uint32_t val)
{
	port_post(ctx, STRESS_BELL, reg, val);
}

static void port_inline(void *ctx, uint32_t off, uint32_t val)
{
	port_post(ctx, STRESS_INLINE, off, val);
}

void port_drain(struct port *p)
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

void card_lock(struct stress_card *c)
{
	atomic_fetch_add(&c->wanted, 1);
	pthread_mutex_lock(&c->lock);
	atomic_fetch_sub(&c->wanted, 1);
}

void card_drain(struct stress_card *c)
{
	for (unsigned int i = 0; i < NFP_CHAN_FW_PIPE_MAX; i++)
		if (c->ports[i])
			port_drain(c->ports[i]);
}

static void *card_main(void *arg)
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

static void port_irq(void *arg, unsigned int vector)
{
	(void)vector;
	sem_post(&((struct port *)arg)->irq);
}

struct port *port_start(struct stress_card *c, struct nfp_chan_fw_req req, uint32_t inl_max)
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

struct port *port_open(struct stress_card *c, unsigned int pipe, unsigned int chan,
		       unsigned int ring_shift, unsigned int inl, uint32_t inl_max)
{
	struct nfp_chan_fw_req req = {
		.pipe = (uint16_t)pipe, .chan = (uint16_t)chan,
		.ring_shift = (uint8_t)ring_shift, .inline_page = (uint8_t)inl,
	};

	return port_start(c, req, inl_max);
}

uint32_t port_close(struct port *p)
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
	sem_destroy(&p->irq);
	free(p);
	return lost;
}

void port_nap(struct port *p, bool sure)
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

void stress_start(struct stress_card *c)
{
	memset(c, 0, sizeof(*c));
	pthread_mutex_init(&c->lock, NULL);
	fw_host_start(&c->h);
	assert_int_equal(fw_hello(&c->h), NFP_CHAN_FW_OK);
	assert_int_equal(pthread_create(&c->thread, NULL, card_main, c), 0);
}

void stress_quiet(struct stress_card *c)
{
	atomic_store(&c->stop, true);
	pthread_join(c->thread, NULL);
	card_drain(c);
	host_run(c->h.host);
}
