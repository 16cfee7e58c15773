// SPDX-License-Identifier: BSD-2-Clause
/*
 * bank.c - choose the bank of each register.
 *
 * Registers that have to be apart form graphs, each of which has two ways to be divided between the
 * banks. The way with fewer clashes inside of a bank is taken. Where a graph cannot be divided, one
 * operation gets a copy of its source.
 */
#include <stdlib.h>

#include "alloc.h"

struct work {
	unsigned int *queue;
	unsigned int n;
};

static enum bank opposite(enum bank b)
{
	return b == BANK_A ? BANK_B : BANK_A;
}

/* Give the registers that are connected with @first a bank, alternately. */
static void spread(struct mfunc *f, const struct graph *g, struct work *w, unsigned int first,
		   enum bank bank)
{
	w->n = 0;
	w->queue[w->n++] = first;
	f->vreg[first].bank = bank;
	for (unsigned int i = 0; i < w->n; i++) {
		const uint64_t *row = graph_row(g, g->apart, w->queue[i]);
		unsigned int v;

		FOR_BITS(v, row, g->words) {
			if (f->vreg[v].bank)
				continue;
			f->vreg[v].bank = opposite(f->vreg[w->queue[i]].bank);
			w->queue[w->n++] = v;
		}
	}
}

/*
 * Clashes of the graph in @w with other registers of the same bank, minus those in the other bank
 */
static int weight(const struct mfunc *f, const struct graph *g, const struct work *w)
{
	int sum = 0;

	for (unsigned int i = 0; i < w->n; i++) {
		const uint64_t *row = graph_row(g, g->clash, w->queue[i]);
		unsigned int v;

		FOR_BITS(v, row, g->words)
			if (f->vreg[v].bank)
				sum += f->vreg[v].bank == f->vreg[w->queue[i]].bank ? 1 : -1;
	}
	return sum;
}

/* Clashes inside of the graph itself count the same both ways, so the sum over others decides. */
static int inner(const struct mfunc *f, const struct graph *g, const struct work *w)
{
	uint64_t *mine = need(g->words, sizeof(*mine));
	int sum = 0;

	for (unsigned int i = 0; i < w->n; i++)
		bit_set(mine, w->queue[i]);
	for (unsigned int i = 0; i < w->n; i++) {
		const uint64_t *row = graph_row(g, g->clash, w->queue[i]);
		unsigned int v;

		FOR_BITS(v, row, g->words)
			if (bit_test(mine, v))
				sum += f->vreg[v].bank == f->vreg[w->queue[i]].bank ? 1 : -1;
	}
	free(mine);
	return sum;
}

static void divide(struct mfunc *f, const struct graph *g)
{
	struct work w = { .queue = need(f->vregs, sizeof(*w.queue)) };
	unsigned int v, i;

	for (v = 0; v < f->vregs; v++)
		f->vreg[v].bank = f->vreg[v].fixed;
	for (v = 0; v < f->vregs; v++)
		if (f->vreg[v].fixed)
			spread(f, g, &w, v, f->vreg[v].fixed);
	for (v = 0; v < f->vregs; v++) {
		if (f->vreg[v].bank)
			continue;
		spread(f, g, &w, v, BANK_A);
		if (weight(f, g, &w) - inner(f, g, &w) > 0)
			for (i = 0; i < w.n; i++)
				f->vreg[w.queue[i]].bank = opposite(f->vreg[w.queue[i]].bank);
	}
	free(w.queue);
}

/* Copy the second source of a pair into the other bank. */
static void copy_source(struct mfunc *f, struct mblock *b, struct minsn *in, struct en_opnd *from,
			enum bank bank)
{
	struct en_opnd t = vreg(mir_vreg(f, bank));

	f->vreg[t.n].bank = bank;
	f->vreg[t.n].temp = true;
	mir_add(b, &(struct minsn){ .op = M_MOV, .d = t, .s = { *from }, .at = in->at });
	*from = t;
}

bool bank_choose(struct mfunc *f, const struct graph *g)
{
	bool changed = false;

	divide(f, g);
	for (unsigned int nb = 0; nb < f->blocks; nb++) {
		struct mblock old = f->block[nb], *b = &f->block[nb];

		b->insn = NULL;
		b->n = 0;
		for (unsigned int i = 0; i < old.n; i++) {
			struct minsn in = old.insn[i];
			struct en_opnd *p[3][2];
			unsigned int n = mir_pairs(&in, p);

			while (n--) {
				enum bank bank = f->vreg[p[n][0]->n].bank;

				if (bank != f->vreg[p[n][1]->n].bank)
					continue;
				copy_source(f, b, &in, p[n][1], opposite(bank));
				changed = true;
			}
			mir_add(b, &in);
		}
		free(old.insn);
	}
	return changed;
}
