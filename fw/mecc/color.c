// SPDX-License-Identifier: BSD-2-Clause
/*
 * color.c - choose the numbers of registers, inside of each bank.
 *
 * A register with fewer clashes than there are numbers always gets one, so these are taken away
 * first. When none is left, the register that costs least is taken, and gets a number if one is
 * free then.
 */
#include <stdlib.h>

#include "alloc.h"

struct color {
	struct mfunc *f;
	const struct graph *g;
	unsigned int *degree;	/* clashes in the same bank that are not taken away */
	unsigned int *uses;	/* reads and writes; 0: no register */
	unsigned int *stack;
	bool *taken;
	unsigned int n;
};

static void count_uses(struct color *c)
{
	for (unsigned int nb = 0; nb < c->f->blocks; nb++)
		for (unsigned int i = 0; i < c->f->block[nb].n; i++) {
			const struct minsn *in = &c->f->block[nb].insn[i];

			if (is_vreg(in->d))
				c->uses[in->d.n]++;
			if (is_vreg(in->d1))
				c->uses[in->d1.n]++;
			for (unsigned int s = 0; s < M_SRCS; s++)
				if (is_vreg(in->s[s]))
					c->uses[in->s[s].n]++;
		}
}

static bool same_bank(const struct color *c, unsigned int a, unsigned int b)
{
	return c->f->vreg[a].bank == c->f->vreg[b].bank;
}

static void take(struct color *c, unsigned int v)
{
	const uint64_t *row = graph_row(c->g, c->g->clash, v);
	unsigned int o;

	c->taken[v] = true;
	c->stack[c->n++] = v;
	FOR_BITS(o, row, c->g->words)
		if (!c->taken[o] && same_bank(c, v, o))
			c->degree[o]--;
}

/* What it costs to keep @v in local memory, for each clash that it has */
static double price(const struct color *c, unsigned int v)
{
	return c->f->vreg[v].temp ? 1e9 : (double)c->uses[v] / (c->degree[v] + 1);
}

static unsigned int numbers(enum bank bank)
{
	return options.free[bank - BANK_A];
}

static unsigned int forbidden(const struct color *c, unsigned int v)
{
	return __builtin_popcount(c->f->vreg[v].forbidden[c->f->vreg[v].bank - BANK_A]);
}

static void simplify(struct color *c)
{
	for (;;) {
		unsigned int v, best = c->f->vregs;
		bool any = false;

		for (v = 0; v < c->f->vregs; v++) {
			if (c->taken[v])
				continue;
			if (c->degree[v] + forbidden(c, v) < numbers(c->f->vreg[v].bank)) {
				take(c, v);
				any = true;
			} else if (best == c->f->vregs || price(c, v) < price(c, best)) {
				best = v;
			}
		}
		if (any)
			continue;
		if (best == c->f->vregs)
			return;
		take(c, best);
	}
}

/* Return: a free number in @bank, or -1. */
static int free_number(const struct color *c, unsigned int v, enum bank bank, const bool *colored)
{
	const uint64_t *row = graph_row(c->g, c->g->clash, v);
	uint32_t used = c->f->vreg[v].forbidden[bank - BANK_A];
	unsigned int o, i;

	FOR_BITS(o, row, c->g->words)
		if (colored[o] && c->f->vreg[o].bank == bank)
			used |= 1u << c->f->vreg[o].reg;
	for (i = 0; i < numbers(bank); i++)
		if (!(used >> i & 1))
			return i;
	return -1;
}

static bool in_any_bank(const struct color *c, unsigned int v)
{
	const uint64_t *row = graph_row(c->g, c->g->apart, v);

	for (unsigned int i = 0; i < c->g->words; i++)
		if (row[i])
			return false;
	return !c->f->vreg[v].fixed;
}

static bool give(struct color *c, unsigned int v, enum bank bank, bool *colored)
{
	int n = free_number(c, v, bank, colored);

	if (n < 0)
		return false;
	c->f->vreg[v].bank = bank;
	c->f->vreg[v].reg = n;
	colored[v] = true;
	return true;
}

/*
 * What has no number then may be in the other bank, unless an operation demands its bank. This
 * comes last, because the others count on the numbers of their bank.
 */
static unsigned int select_numbers(struct color *c, bool *spill)
{
	bool *colored = need(c->f->vregs, sizeof(*colored));
	unsigned int spilled = 0, v;

	while (c->n) {
		v = c->stack[--c->n];
		spill[v] = !give(c, v, c->f->vreg[v].bank, colored);
	}
	for (v = 0; v < c->f->vregs; v++) {
		enum bank other = c->f->vreg[v].bank == BANK_A ? BANK_B : BANK_A;

		if (!spill[v])
			continue;
		spill[v] = !in_any_bank(c, v) || !give(c, v, other, colored);
		spilled += spill[v];
	}
	free(colored);
	return spilled;
}

unsigned int color_choose(struct mfunc *f, const struct graph *g, bool *spill)
{
	struct color c = { .f = f, .g = g };
	unsigned int v, o, spilled;

	c.degree = need(f->vregs, sizeof(*c.degree));
	c.uses = need(f->vregs, sizeof(*c.uses));
	c.stack = need(f->vregs, sizeof(*c.stack));
	c.taken = need(f->vregs, sizeof(*c.taken));
	count_uses(&c);
	for (v = 0; v < f->vregs; v++) {
		const uint64_t *row = graph_row(g, g->clash, v);

		c.taken[v] = !c.uses[v];
		FOR_BITS(o, row, g->words)
			c.degree[v] += same_bank(&c, v, o);
	}
	simplify(&c);
	spilled = select_numbers(&c, spill);
	free(c.degree);
	free(c.uses);
	free(c.stack);
	free(c.taken);
	return spilled;
}
