// SPDX-License-Identifier: BSD-2-Clause
/*
 * spill.c - keep registers in local memory.
 *
 * Local memory pointers 2 and 3 always point to the first FRAME_WORDS words of a function's frame,
 * so an operation reaches these words at no cost. Words after them need pointer 1 to be set each
 * time.
 */
#include <stdlib.h>

#include "alloc.h"
#include "emit.h"

struct spill {
	struct mfunc *f;
	struct objects *objs;
	struct mblock *b;
	struct where at;
	int *slot;		/* words of the frame, or -1; beyond the frame: addresses */
	unsigned int n;		/* registers that have a slot; later ones are short-lived */
};

/* Return: the word of a register in local memory. Pointer 1 is set if it has to be. */
static struct en_opnd word(struct spill *s, unsigned int slot)
{
	struct en_opnd t;

	if (slot < FRAME_WORDS)
		return lm(2 + slot / FRAME_POINTER, slot % FRAME_POINTER);
	t = vreg(mir_vreg(s->f, BANK_A));
	s->f->vreg[t.n].temp = true;
	mir_add(s->b, &(struct minsn){ .op = M_IMM, .d = t, .imm = slot - FRAME_WORDS,
				       .at = s->at });
	if (routine_shared(s->f->self))
		mir_add(s->b, &(struct minsn){ .op = M_ALU, .alu = EN_ADD, .d = t,
					       .s = { t, ctx_base() }, .at = s->at });
	mir_add(s->b, &(struct minsn){ .op = M_LMP, .n = 1, .s = { t }, .at = s->at });
	return lm(1, 0);
}

static int slot_of(const struct spill *s, struct en_opnd o)
{
	return is_vreg(o) && o.n < s->n ? s->slot[o.n] : -1;
}

/* A short-lived register in place of a spilled one */
static struct en_opnd temp(struct spill *s, unsigned int of)
{
	unsigned int v = mir_vreg(s->f, s->f->vreg[of].fixed);

	s->f->vreg[v].temp = true;
	return vreg(v);
}

static void move(struct spill *s, struct en_opnd d, struct en_opnd v)
{
	mir_add(s->b, &(struct minsn){ .op = M_MOV, .d = d, .s = { v }, .at = s->at });
}

/* Arguments stay together at the beginning, since all of them are live there. */
static void params(struct spill *s, const struct mblock *old, unsigned int i)
{
	struct minsn in = i < old->n ? old->insn[i] : (struct minsn){ 0 };
	int slot = slot_of(s, in.d);
	struct en_opnd t;

	if (i >= old->n || in.op != M_PARAM)
		return;
	s->at = in.at;
	t = slot < 0 ? in.d : temp(s, in.d.n);
	in.d = t;
	mir_add(s->b, &in);
	params(s, old, i + 1);
	if (slot >= 0)
		move(s, word(s, slot), t);
}

static bool has_lm(const struct minsn *in)
{
	for (unsigned int i = 0; i < M_SRCS; i++)
		if (in->s[i].k == EN_LM)
			return true;
	return in->d.k == EN_LM;
}

/* Operations of alu[] take one source from local memory, if the frame's pointers reach it. */
static bool direct(const struct minsn *in, unsigned int slot)
{
	return slot < FRAME_WORDS &&
	       (in->op == M_CALL || ((in->op == M_ALU || in->op == M_MOV) && !has_lm(in)));
}

static void replace(struct minsn *in, unsigned int from, struct en_opnd to)
{
	for (unsigned int i = 0; i < M_SRCS; i++)
		if (is_vreg(in->s[i]) && in->s[i].n == from)
			in->s[i] = to;
}

static void sources(struct spill *s, struct minsn *in)
{
	for (unsigned int i = 0; i < M_SRCS; i++) {
		int slot = slot_of(s, in->s[i]);
		struct en_opnd t;

		if (slot < 0)
			continue;
		if (direct(in, slot)) {
			in->s[i] = word(s, slot);
			continue;
		}
		t = temp(s, in->s[i].n);
		move(s, t, word(s, slot));
		replace(in, in->s[i].n, t);
	}
}

/* Write a destination, of which the old value may be needed, and store it afterwards. */
static void insn(struct spill *s, struct minsn in)
{
	struct en_opnd *d[2] = { &in.d, &in.d1 }, t[2];
	int slot[2];
	unsigned int i;

	s->at = in.at;
	sources(s, &in);
	for (i = 0; i < 2; i++) {
		slot[i] = slot_of(s, *d[i]);
		if (slot[i] < 0)
			continue;
		if (!i && in.op != M_CALL && direct(&in, slot[i])) {
			in.d = word(s, slot[i]);
			slot[i] = -1;
			continue;
		}
		t[i] = temp(s, d[i]->n);
		if (!i && mir_reads_dst(&in))
			move(s, t[i], word(s, slot[i]));
		*d[i] = t[i];
	}
	mir_add(s->b, &in);
	for (i = 0; i < 2; i++)
		if (slot[i] >= 0)
			move(s, word(s, slot[i]), t[i]);
}

void spill_registers(struct mfunc *f, struct objects *objs, const bool *spill, unsigned int n)
{
	struct spill s = { .f = f, .objs = objs, .n = n };

	s.slot = need(n, sizeof(*s.slot));
	for (unsigned int v = 0; v < n; v++) {
		s.slot[v] = -1;
		if (!spill[v])
			continue;
		if (f->vreg[v].temp)
			internal("%s: too few registers for one operation", f->name);
		s.slot[v] = f->spilled < FRAME_WORDS ? f->spilled :
			    FRAME_WORDS + place_lm(objs, 4, 4, f->at, f->name);
		f->spilled++;
	}
	for (unsigned int nb = 0; nb < f->blocks; nb++) {
		struct mblock old = f->block[nb];

		s.b = &f->block[nb];
		s.b->insn = NULL;
		s.b->n = 0;
		params(&s, &old, 0);
		for (unsigned int i = 0; i < old.n; i++)
			if (old.insn[i].op != M_PARAM)
				insn(&s, old.insn[i]);
		free(old.insn);
	}
	free(s.slot);
}
