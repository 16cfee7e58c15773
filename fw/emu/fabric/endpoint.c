// SPDX-License-Identifier: BSD-2-Clause
/* endpoint.c - endpoints of links: devices and the root complex. */
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"

struct served {
	struct fab_engine *e;
	uint32_t bytes, cause;
	fab_served fn;
	void *ctx;
	uint64_t arg;
};

static void engine_done(void *ctx, uint64_t arg)
{
	struct served s = *(struct served *)ctx;

	(void)arg;
	free(ctx);
	s.fn(s.ctx, s.arg,
	     fab_step(&s.e->f->sim, s.e->kind, s.e->node, s.cause, 0, s.bytes));
}

void fab_engine_do(struct fab_engine *e, uint32_t bytes, uint32_t cause, fab_served fn,
		   void *ctx, uint64_t arg)
{
	fab_time takes = e->ns * FAB_NS + (e->mbyte ? bytes * 1000000ull / e->mbyte : 0);
	fab_time now = e->f->sim.now, *first = &e->free_at[0];
	struct served *s;
	unsigned int i;

	if (!takes) {
		fn(ctx, arg, cause);
		return;
	}
	for (i = 1; i < e->servers; i++) {
		if (e->free_at[i] < *first)
			first = &e->free_at[i];
	}
	*first = (*first > now ? *first : now) + takes;
	s = fab_alloc(1, sizeof(*s));
	*s = (struct served){ e, bytes, cause, fn, ctx, arg };
	fab_after(&e->f->sim, *first - now, engine_done, s, 0);
}

/* ---- the node ---- */

void *fab_device_mem(const struct fab_device *d, uint64_t addr, uint32_t len)
{
	if (addr < d->base || len > d->size || addr - d->base > d->size - len)
		return NULL;
	return d->mem + (addr - d->base);
}

static bool is_input(const struct fab_device *d, const struct fab_tlp *t)
{
	return d->s && t->addr >= d->s->base && t->addr + t->len <= d->s->base + d->s->size;
}

static bool device_may(struct fab_node *n, uint8_t port, const struct fab_tlp *t)
{
	const struct fab_device *d = n->unit;

	(void)port;
	if (t->cls == FAB_NP)
		return fab_answer_room(n->tx[0]);
	return t->cls == FAB_CPL || !is_input(d, t) || fab_sdev_may(d->s, t);
}

static void fetch(void *ctx, uint64_t addr, void *to, uint32_t len)
{
	memcpy(to, fab_device_mem(ctx, addr, len), len);
}

static void device_read(struct fab_device *d, const struct fab_tlp *t)
{
	if (fab_device_mem(d, t->addr, t->len)) {
		fab_answer(d->n->tx[0], t, t->step, fetch, d);
		return;
	}
	d->n->f->n.unclaimed++;
	fab_answer_refuse(d->n->tx[0], t, t->step);
}

static void device_written(struct fab_device *d, const struct fab_tlp *t)
{
	void *at = fab_device_mem(d, t->addr, t->len);
	uint32_t tail;

	d->n->f->sim.op[t->op].to = d->n->id;
	if (is_input(d, t)) {
		fab_sdev_take(d->s, t);
	} else if (at) {
		memcpy(at, t->data, t->len);
		if (d->written)
			d->written(d->ctx, t->addr, t->len, t->step);
	} else if (d->q && t->addr == FAB_BAR(d->n->id) + FAB_DOORBELL && t->len == 4) {
		memcpy(&tail, t->data, 4);
		fab_qdev_doorbell(d->q, tail, t->step);
	} else {
		d->n->f->n.unclaimed++;
	}
}

static void device_take(struct fab_node *n, uint8_t port, struct fab_tlp *t)
{
	struct fab_device *d = n->unit;

	(void)port;
	if (t->cls == FAB_CPL) {
		fab_dma_complete(&d->dma, t);
		return;
	}
	if (t->cls == FAB_NP)
		device_read(d, t);
	else
		device_written(d, t);
	free(t);
}

void fab_device_init(struct fab_device *d, struct fab_node *n, uint64_t base, uint64_t size)
{
	*d = (struct fab_device){ .n = n, .base = base, .size = size };
	if (size)
		d->mem = fab_alloc(1, size);
	fab_dma_init(&d->dma, n);
	n->unit = d;
	n->latency = n->f->opt.end_ns * FAB_NS;
	n->may = device_may;
	n->take = device_take;
}

void fab_device_free(struct fab_device *d)
{
	if (!d->n)
		return;
	fab_dma_free(&d->dma);
	free(d->mem);
	if (d->q)
		fab_qdev_free(d->q);
	if (d->s)
		free(d->s->ring);
}
