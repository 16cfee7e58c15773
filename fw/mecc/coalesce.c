// SPDX-License-Identifier: BSD-2-Clause
/* coalesce.c - join the two registers of a move where nothing keeps them apart. */
#include <stdlib.h>

#include "alloc.h"

static unsigned int find(unsigned int *parent, unsigned int v)
{
	while (parent[v] != v) {
		parent[v] = parent[parent[v]];
		v = parent[v];
	}
	return v;
}

static void join_rows(struct graph *g, uint64_t *set, unsigned int to, unsigned int from)
{
	uint64_t *a = graph_row(g, set, to), *b = graph_row(g, set, from);
	unsigned int v;

	FOR_BITS(v, b, g->words)
		bit_set(graph_row(g, set, v), to);
	for (unsigned int i = 0; i < g->words; i++)
		a[i] |= b[i];
}

static bool may_join(const struct mfunc *f, const struct graph *g, unsigned int a, unsigned int b)
{
	const struct mvreg *x = &f->vreg[a], *y = &f->vreg[b];

	if (a == b || x->temp || y->temp)
		return false;
	if (x->fixed && y->fixed && x->fixed != y->fixed)
		return false;
	return !bit_test(graph_row(g, g->clash, a), b) && !bit_test(graph_row(g, g->apart, a), b);
}

static void join(struct mfunc *f, struct graph *g, unsigned int *parent, unsigned int a,
		 unsigned int b)
{
	join_rows(g, g->clash, a, b);
	join_rows(g, g->apart, a, b);
	if (!f->vreg[a].fixed)
		f->vreg[a].fixed = f->vreg[b].fixed;
	parent[b] = a;
}

static void rename_opnd(unsigned int *parent, struct en_opnd *o)
{
	if (is_vreg(*o))
		o->n = find(parent, o->n);
}

static void rename_block(struct mblock *b, unsigned int *parent)
{
	unsigned int to = 0;

	for (unsigned int i = 0; i < b->n; i++) {
		struct minsn *in = &b->insn[i];

		rename_opnd(parent, &in->d);
		rename_opnd(parent, &in->d1);
		for (unsigned int s = 0; s < M_SRCS; s++)
			rename_opnd(parent, &in->s[s]);
		if (in->op == M_MOV && is_vreg(in->d) && is_vreg(in->s[0]) && in->d.n == in->s[0].n)
			continue;
		b->insn[to++] = *in;
	}
	b->n = to;
}

void coalesce(struct mfunc *f, struct graph *g)
{
	unsigned int *parent = need(f->vregs, sizeof(*parent)), nb, i;

	for (i = 0; i < f->vregs; i++)
		parent[i] = i;
	for (nb = 0; nb < f->blocks; nb++)
		for (i = 0; i < f->block[nb].n; i++) {
			const struct minsn *in = &f->block[nb].insn[i];
			unsigned int a, b;

			if (in->op != M_MOV || !is_vreg(in->d) || !is_vreg(in->s[0]))
				continue;
			a = find(parent, in->d.n);
			b = find(parent, in->s[0].n);
			if (may_join(f, g, a, b))
				join(f, g, parent, a, b);
		}
	for (nb = 0; nb < f->blocks; nb++)
		rename_block(&f->block[nb], parent);
	free(parent);
}
