// SPDX-License-Identifier: BSD-2-Clause
/* alloc.c - register allocation: the order of its steps. See alloc.h. */
#include <stdlib.h>

#include "alloc.h"
#include "emit.h"

#define ROUNDS	50

static void join_moves(struct mfunc *f)
{
	struct graph g;

	live_graph(f, &g);
	coalesce(f, &g);
	graph_free(&g);
}

/* Return: true if each register has a bank and a number. */
static bool try(struct mfunc *f, struct objects *objs)
{
	unsigned int n, spilled;
	struct graph g;
	bool *spill;

	live_graph(f, &g);
	if (bank_choose(f, &g)) {
		graph_free(&g);
		live_graph(f, &g);
	}
	n = f->vregs;
	spill = need(n, sizeof(*spill));
	spilled = color_choose(f, &g, spill);
	graph_free(&g);
	if (spilled)
		spill_registers(f, objs, spill, n);
	free(spill);
	return !spilled;
}

static void note(const struct mfunc *f, struct routine *r, struct en_opnd d)
{
	const struct mvreg *v;

	if (!is_vreg(d))
		return;
	v = &f->vreg[d.n];
	r->clobbers[v->bank - BANK_A] |= 1u << v->reg;
}

/* Tell callers which registers the function takes arguments in, and which it writes. */
static void describe(const struct mfunc *f, struct routine *r)
{
	for (unsigned int nb = 0; nb < f->blocks; nb++)
		for (unsigned int i = 0; i < f->block[nb].n; i++) {
			const struct minsn *in = &f->block[nb].insn[i];

			note(f, r, in->d);
			note(f, r, in->d1);
			if (in->op == M_CALL) {
				r->clobbers[0] |= f->program->r[in->imm].clobbers[0];
				r->clobbers[1] |= f->program->r[in->imm].clobbers[1];
			} else if (in->op == M_RET) {
				r->clobbers[0] |= (in->s[0].k != EN_NONE) | (in->s[1].k != EN_NONE) << 1;
			} else if (in->op == M_PARAM) {
				*(in->n == PARAM_RA ? &r->ra : &r->param[in->n]) =
					mir_register(f, in->d);
			}
		}
}

void alloc_registers(struct mfunc *f, struct objects *objs)
{
	unsigned int round = 0;

	live_dead(f);
	join_moves(f);
	while (!try(f, objs))
		if (++round == ROUNDS)
			internal("%s: no end of register allocation", f->name);
	if (f->spilled) {
		unsigned int words = f->spilled > FRAME_POINTER ? FRAME_WORDS : FRAME_POINTER;

		f->frame = place_lm(objs, 4 * words, 4 * FRAME_POINTER, f->at, f->name);
	}
	describe(f, f->self);
}
