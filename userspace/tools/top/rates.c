// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rates.c - compute what channels and flows did in an interval, and sort them by it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "top.h"

/* A counter that has become smaller began again at 0. */
static uint64_t since(uint64_t now, uint64_t before)
{
	return now < before ? now : now - before;
}

static const struct top_chan *find(const struct top_chan *chan, size_t n, const char *name)
{
	for (; n; n--, chan++)
		if (!strcmp(chan->row.q.name, name))
			return chan;
	return NULL;
}

void top_chans_since(struct top_chan *now, size_t n, const struct top_chan *before,
		     size_t n_before)
{
	const struct nfp_chan_query *a, *b;
	const struct top_chan *old;

	for (; n; n--, now++) {
		b = &now->row.q;
		old = find(before, n_before, b->name);
		/* The program of a "bpf:" card may have changed. A new channel has no rates yet. */
		a = old ? &old->row.q : b;
		now->msgs = since(b->msgs, a->msgs);
		now->bytes = since(b->bytes, a->bytes);
		now->drops = since(b->dropped, a->dropped);
		now->stalls = since(b->stalled, a->stalled);
		now->irqs = since(b->irqs, a->irqs);
	}
}

static int by_key(const void *p, const void *q)
{
	const struct flow *a = p, *b = q;
	int order = memcmp(a->src, b->src, sizeof(a->src));

	order = order ? order : memcmp(a->dst, b->dst, sizeof(a->dst));
	order = order ? order : a->family - b->family;
	order = order ? order : a->proto - b->proto;
	order = order ? order : a->sport - b->sport;
	order = order ? order : a->dport - b->dport;
	order = order ? order : a->vlan - b->vlan;
	return order ? order : a->vlan_inner - b->vlan_inner;
}

size_t top_flows_merge(struct flow *flow, size_t n)
{
	size_t i, kept = 0;

	qsort(flow, n, sizeof(*flow), by_key);
	for (i = 0; i < n; i++) {
		if (kept && !by_key(&flow[kept - 1], &flow[i])) {
			flow[kept - 1].packets += flow[i].packets;
			flow[kept - 1].bytes += flow[i].bytes;
			continue;
		}
		flow[kept++] = flow[i];
	}
	return kept;
}

/* ---- order ---- */

static uint64_t chan_value(const struct top_chan *c, enum top_sort sort)
{
	switch (sort) {
	case TOP_BY_MSGS:
		return c->msgs;
	case TOP_BY_BYTES:
		return c->bytes;
	case TOP_BY_DROPS:
		return c->drops;
	case TOP_BY_STALLS:
		return c->stalls;
	case TOP_BY_IRQS:
		return c->irqs;
	default:
		return 0;
	}
}

/* The largest first; channels of the same rate by their names */
static int by_chan(const void *p, const void *q, void *arg)
{
	const struct top_chan *a = p, *b = q;
	enum top_sort sort = *(enum top_sort *)arg;
	uint64_t x = chan_value(a, sort), y = chan_value(b, sort);

	return x != y ? (x < y ? 1 : -1) : strcmp(a->row.q.name, b->row.q.name);
}

static int by_flow(const void *p, const void *q, void *arg)
{
	const struct flow *a = p, *b = q;
	enum top_sort sort = *(enum top_sort *)arg;
	uint64_t x = sort == TOP_BY_MSGS ? a->packets : a->bytes;
	uint64_t y = sort == TOP_BY_MSGS ? b->packets : b->bytes;

	return sort == TOP_BY_NAME || x == y ? by_key(p, q) : (x < y ? 1 : -1);
}

void top_sort(struct top *t)
{
	qsort_r(t->chan, t->chans, sizeof(*t->chan), by_chan, &t->sort);
	qsort_r(t->flow, t->flows, sizeof(*t->flow), by_flow, &t->sort);
}
