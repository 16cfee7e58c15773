// SPDX-License-Identifier: BSD-2-Clause
/*
 * lane.c - one direction of a link: order, credits, and the time that bytes take.
 *
 * A DLLP returns credits after the link's latency. The bytes of DLLPs are not counted.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "tlp_split.h"

struct fab_tlp *fab_tlp_new(enum fab_class cls, uint64_t addr, uint32_t len, uint32_t step,
			    uint32_t op)
{
	struct fab_tlp *t = fab_alloc(1, sizeof(*t) + (cls == FAB_NP ? 0 : len));

	t->cls = cls;
	t->addr = addr;
	t->len = len;
	t->step = step;
	t->op = op;
	return t;
}

static uint32_t data_of(const struct fab_tlp *t)
{
	return t->cls == FAB_NP || t->refused ? 0 : t->len;
}

uint32_t fab_tlp_overhead(const struct fab_tlp *t)
{
	return t->cls == FAB_CPL ? TLP_OVERHEAD_3DW : TLP_OVERHEAD_4DW;
}

static uint32_t units(const struct fab_tlp *t)
{
	return (data_of(t) + 15) / 16;
}

/* ---- queues ---- */

void fab_queue_init(struct fab_queue *q)
{
	unsigned int c;

	*q = (struct fab_queue){ 0 };
	for (c = 0; c < FAB_CLASSES; c++)
		q->tail[c] = &q->head[c];
}

void fab_queue_put(struct fab_queue *q, struct fab_tlp *t)
{
	t->order = q->order++;
	t->next = NULL;
	*q->tail[t->cls] = t;
	q->tail[t->cls] = &t->next;
	q->n[t->cls]++;
}

struct fab_tlp *fab_queue_take(struct fab_queue *q, fab_may may, void *ctx)
{
	const struct fab_tlp *posted = q->head[FAB_P];
	struct fab_tlp *best = NULL;
	unsigned int c;

	for (c = 0; c < FAB_CLASSES; c++) {
		struct fab_tlp *t = q->head[c];

		if (!t || (best && best->order < t->order))
			continue;
		if (c != FAB_P && posted && posted->order < t->order)
			continue;
		if (may(ctx, t))
			best = t;
	}
	if (!best)
		return NULL;
	q->head[best->cls] = best->next;
	if (!best->next)
		q->tail[best->cls] = &q->head[best->cls];
	q->n[best->cls]--;
	return best;
}

/* ---- the transmitter ---- */

static bool lane_may(void *ctx, const struct fab_tlp *t)
{
	const struct fab_lane *l = ctx;

	if (!l->limit.header[t->cls])
		return true;
	return l->left.header[t->cls] && l->left.data[t->cls] >= units(t);
}

static void lane_run(struct fab_lane *l);

static void lane_sent(void *ctx, uint64_t arg)
{
	struct fab_lane *l = ctx;

	(void)arg;
	l->sending = false;
	lane_run(l);
}

static void lane_arrived(void *ctx, uint64_t arg)
{
	struct fab_lane *l = ctx;
	struct fab_tlp *t = (struct fab_tlp *)(uintptr_t)arg;

	t->step = fab_step(&l->f->sim, FAB_CROSS, l->to->id, t->step, t->op, data_of(t));
	fab_node_arrive(l->to, l->to_port, t);
}

static void lane_run(struct fab_lane *l)
{
	const struct fab_opt *o = &l->f->opt;
	struct fab_tlp *t;
	fab_time bytes_take;
	uint32_t bytes;

	if (l->sending)
		return;
	t = fab_queue_take(&l->tx, lane_may, l);
	if (!t)
		return;
	if (l->limit.header[t->cls]) {
		l->left.header[t->cls]--;
		l->left.data[t->cls] -= units(t);
	}
	bytes = data_of(t) + fab_tlp_overhead(t);
	bytes_take = bytes * 1000000ull / o->link_mbyte;
	l->tlps[t->cls]++;
	l->payload += data_of(t);
	l->overhead += fab_tlp_overhead(t);
	l->sending = true;
	fab_after(&l->f->sim, bytes_take, lane_sent, l, 0);
	fab_after(&l->f->sim, bytes_take + o->link_ns * FAB_NS, lane_arrived, l, (uintptr_t)t);
	fab_node_look(l->from);
}

bool fab_lane_room(const struct fab_lane *l, enum fab_class cls)
{
	return l->tx.n[cls] < l->f->opt.egress;
}

void fab_lane_put(struct fab_lane *l, struct fab_tlp *t)
{
	fab_queue_put(&l->tx, t);
	if (l->tx_most[t->cls] < l->tx.n[t->cls])
		l->tx_most[t->cls] = l->tx.n[t->cls];
	lane_run(l);
}

/* ---- credits ---- */

static void credit_back(void *ctx, uint64_t arg)
{
	struct fab_lane *l = ctx;

	l->left.header[arg & 3]++;
	l->left.data[arg & 3] += arg >> 2;
	lane_run(l);
}

void fab_lane_return(struct fab_lane *l, const struct fab_tlp *t)
{
	struct fab_rx *rx = &l->to->rx[l->to_port];

	rx->used.header[t->cls]--;
	rx->used.data[t->cls] -= units(t);
	if (l->limit.header[t->cls])
		fab_after(&l->f->sim, l->f->opt.link_ns * FAB_NS, credit_back, l,
			  (uint64_t)units(t) << 2 | t->cls);
}

static void rx_full(struct fabric *f, struct fab_rx *rx, const struct fab_tlp *t)
{
	const struct fab_credits *limit = &rx->lane->limit;
	uint32_t header = ++rx->used.header[t->cls];
	uint32_t data = rx->used.data[t->cls] += units(t);

	if (rx->most.header[t->cls] < header)
		rx->most.header[t->cls] = header;
	if (rx->most.data[t->cls] < data)
		rx->most.data[t->cls] = data;
	if (limit->header[t->cls] && (header > limit->header[t->cls] ||
				      data > limit->data[t->cls]))
		f->n.overruns++;
}

/* ---- the receiver ---- */

struct at_port {
	struct fab_node *n;
	uint8_t port;
};

static bool node_may(void *ctx, const struct fab_tlp *t)
{
	const struct at_port *a = ctx;

	if (t->ready > a->n->f->sim.now)
		return false;
	return !a->n->may || a->n->may(a->n, a->port, t);
}

void fab_node_ready(struct fab_node *n, uint8_t port)
{
	struct fab_rx *rx = &n->rx[port];
	struct at_port a = { n, port };
	struct fab_tlp *t;

	if (!rx->lane)
		return;
	while ((t = fab_queue_take(&rx->q, node_may, &a))) {
		fab_lane_return(rx->lane, t);
		t->step = fab_step(&n->f->sim, FAB_PASS, n->id, t->step, t->op, data_of(t));
		n->take(n, port, t);
	}
}

static void node_ready(void *ctx, uint64_t arg)
{
	fab_node_ready(ctx, arg);
}

void fab_node_arrive(struct fab_node *n, uint8_t port, struct fab_tlp *t)
{
	rx_full(n->f, &n->rx[port], t);
	t->ready = n->f->sim.now + n->latency;
	fab_queue_put(&n->rx[port].q, t);
	fab_after(&n->f->sim, n->latency, node_ready, n, port);
}
