// SPDX-License-Identifier: BSD-2-Clause
/* live.c - which virtual registers are live at the same time. */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

struct live {
	unsigned int words;
	uint64_t *out;		/* for each block: live at its end */
	uint64_t *now;
};

static void kill_dst(uint64_t *now, const struct minsn *in)
{
	if (is_vreg(in->d))
		bit_clear(now, in->d.n);
	if (is_vreg(in->d1))
		bit_clear(now, in->d1.n);
}

static void add_sources(uint64_t *now, const struct minsn *in)
{
	if (is_vreg(in->d) && mir_reads_dst(in))
		bit_set(now, in->d.n);
	for (unsigned int i = 0; i < M_SRCS; i++)
		if (is_vreg(in->s[i]))
			bit_set(now, in->s[i].n);
}

static void live_in(struct live *l, const struct mblock *b, unsigned int nb)
{
	memcpy(l->now, l->out + (size_t)nb * l->words, l->words * sizeof(*l->now));
	for (unsigned int i = b->n; i--;) {
		kill_dst(l->now, &b->insn[i]);
		add_sources(l->now, &b->insn[i]);
	}
}

static bool merge(uint64_t *to, const uint64_t *from, unsigned int words)
{
	bool changed = false;

	for (unsigned int i = 0; i < words; i++) {
		changed |= !!(from[i] & ~to[i]);
		to[i] |= from[i];
	}
	return changed;
}

static void solve(const struct mfunc *f, struct live *l)
{
	bool changed = true;

	l->words = (f->vregs + BITS_PER - 1) / BITS_PER;
	l->out = need((size_t)f->blocks * l->words, sizeof(*l->out));
	l->now = need(l->words, sizeof(*l->now));
	while (changed) {
		changed = false;
		for (unsigned int nb = f->blocks; nb--;) {
			live_in(l, &f->block[nb], nb);
			for (unsigned int p = 0; p < f->blocks; p++)
				for (unsigned int i = 0; i < f->block[p].succs; i++)
					if (f->block[p].succ[i] == nb)
						changed |= merge(l->out + (size_t)p * l->words,
								 l->now, l->words);
		}
	}
}

static void done(struct live *l)
{
	free(l->out);
	free(l->now);
}

static void pair(struct graph *g, uint64_t *set, unsigned int a, unsigned int b)
{
	if (a == b)
		return;
	bit_set(graph_row(g, set, a), b);
	bit_set(graph_row(g, set, b), a);
}

/* The register @d is written while @live are live. The source of a move has the same value. */
static void written(struct graph *g, const struct live *l, const struct minsn *in, struct en_opnd d)
{
	unsigned int late = mir_late(in), v;

	if (!is_vreg(d))
		return;
	FOR_BITS(v, l->now, l->words)
		if (in->op != M_MOV || !is_vreg(in->s[0]) || in->s[0].n != v)
			pair(g, g->clash, d.n, v);
	for (unsigned int i = 0; i < M_SRCS; i++)
		if (late >> i & 1 && is_vreg(in->s[i]))
			pair(g, g->clash, d.n, in->s[i].n);
}

/* What is live after a call, except its results, is in no register that the function writes. */
static void called(struct mfunc *f, const struct live *l, const struct minsn *in)
{
	const struct routine *r = &f->program->r[in->imm];
	unsigned int v;

	FOR_BITS(v, l->now, l->words) {
		if ((is_vreg(in->d) && in->d.n == v) || (is_vreg(in->d1) && in->d1.n == v))
			continue;
		f->vreg[v].forbidden[0] |= r->clobbers[0];
		f->vreg[v].forbidden[1] |= r->clobbers[1];
	}
}

static void add_insn(struct mfunc *f, struct graph *g, struct live *l, const struct minsn *in)
{
	struct en_opnd *p[3][2];
	unsigned int n = mir_pairs(in, p);

	if (in->op == M_CALL)
		called(f, l, in);
	/* The results are moved to their registers before the return. */
	if (in->op == M_RET && in->s[0].k != EN_NONE && is_vreg(in->s[2]))
		f->vreg[in->s[2].n].forbidden[0] |= 3;
	written(g, l, in, in->d);
	written(g, l, in, in->d1);
	if (is_vreg(in->d) && is_vreg(in->d1))
		pair(g, g->clash, in->d.n, in->d1.n);
	while (n--)
		pair(g, g->apart, p[n][0]->n, p[n][1]->n);
	kill_dst(l->now, in);
	add_sources(l->now, in);
}

void live_graph(struct mfunc *f, struct graph *g)
{
	struct live l;

	solve(f, &l);
	for (unsigned int v = 0; v < f->vregs; v++)
		memset(f->vreg[v].forbidden, 0, sizeof(f->vreg[v].forbidden));
	g->n = f->vregs;
	g->words = l.words;
	g->clash = need((size_t)g->n * g->words, sizeof(*g->clash));
	g->apart = need((size_t)g->n * g->words, sizeof(*g->apart));
	for (unsigned int nb = 0; nb < f->blocks; nb++) {
		memcpy(l.now, l.out + (size_t)nb * l.words, l.words * sizeof(*l.now));
		for (unsigned int i = f->block[nb].n; i--;)
			add_insn(f, g, &l, &f->block[nb].insn[i]);
	}
	done(&l);
}

void graph_free(struct graph *g)
{
	free(g->clash);
	free(g->apart);
}

static bool is_dead(const uint64_t *now, const struct minsn *in)
{
	return in->op != M_CALL && is_vreg(in->d) && !bit_test(now, in->d.n) &&
	       (in->d1.k == EN_NONE || (is_vreg(in->d1) && !bit_test(now, in->d1.n)));
}

/* Return: true if operations were removed. */
static bool remove_dead(struct mfunc *f)
{
	bool removed = false;
	struct live l;

	solve(f, &l);
	for (unsigned int nb = 0; nb < f->blocks; nb++) {
		struct mblock *b = &f->block[nb];
		unsigned int to = b->n;

		memcpy(l.now, l.out + (size_t)nb * l.words, l.words * sizeof(*l.now));
		for (unsigned int i = b->n; i--;) {
			if (is_dead(l.now, &b->insn[i])) {
				removed = true;
				continue;
			}
			kill_dst(l.now, &b->insn[i]);
			add_sources(l.now, &b->insn[i]);
			b->insn[--to] = b->insn[i];
		}
		memmove(b->insn, b->insn + to, (b->n - to) * sizeof(*b->insn));
		b->n -= to;
	}
	done(&l);
	return removed;
}

void live_dead(struct mfunc *f)
{
	while (remove_dead(f))
		;
}
