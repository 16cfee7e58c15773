// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* precise.c - find, going backwards, the earlier values that a value depends on. */
#include "state.h"

#define ARGS	0x3e	/* r1 to r5 */

static bool marks_empty(const struct marks *m)
{
	int i;

	for (i = 0; i < FRAMES; i++)
		if (m->reg[i] || m->slot[i])
			return false;
	return true;
}

/* When one of the registers and slots in @l is marked, mark all of them. */
static void spread_links(struct marks *m, const struct links *l)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < l->count && !any; i++)
		any = l->to[i].slot ? m->slot[l->to[i].frame] >> l->to[i].index & 1 :
				      m->reg[l->to[i].frame] >> l->to[i].index & 1;
	for (i = 0; i < l->count && any; i++) {
		if (l->to[i].slot)
			m->slot[l->to[i].frame] |= 1ull << l->to[i].index;
		else
			m->reg[l->to[i].frame] |= 1 << l->to[i].index;
	}
}

static void back_alu(uint16_t *reg, const struct bpf_insn *insn)
{
	uint16_t dst = 1 << insn->dst_reg, src = 1 << insn->src_reg;
	uint8_t op = BPF_OP(insn->code);

	if (!(*reg & dst) || op == BPF_END || op == BPF_NEG)
		return;
	if (op == BPF_MOV)
		*reg &= ~dst;
	if (BPF_SRC(insn->code) == BPF_X && insn->src_reg != FP)
		*reg |= src;
}

static void back_load(struct marks *m, const struct step *s, const struct bpf_insn *insn)
{
	uint16_t dst = 1 << insn->dst_reg;

	if (!(m->reg[s->frame] & dst))
		return;
	m->reg[s->frame] &= ~dst;
	if (s->flags & STEP_STACK)
		m->slot[s->slot_frame] |= 1ull << s->slot;
}

/* Return false when a marked register is used as the address: it cannot be followed further. */
static bool back_store(struct marks *m, const struct step *s, const struct bpf_insn *insn)
{
	if (m->reg[s->frame] & 1 << insn->dst_reg)
		return false;
	if (!(s->flags & STEP_STACK) || !(m->slot[s->slot_frame] >> s->slot & 1))
		return true;
	m->slot[s->slot_frame] &= ~(1ull << s->slot);
	if (BPF_CLASS(insn->code) == BPF_STX)
		m->reg[s->frame] |= 1 << insn->src_reg;
	return true;
}

/* The arguments of a function are the registers of its caller. */
static bool back_call(struct marks *m, const struct xprog *p, const struct xobject *o,
		      const struct step *s, const struct bpf_insn *insn)
{
	int f = s->frame;

	if (insn->src_reg != BPF_PSEUDO_CALL ||
	    object_func_global(o, p, s->insn + 1 + insn->imm)) {
		m->reg[f] &= ~1;
		return !(m->reg[f] & ARGS);
	}
	if (f + 1 == FRAMES || m->reg[f + 1] & ~ARGS || m->slot[f + 1])
		return false;
	m->reg[f] |= m->reg[f + 1];
	m->reg[f + 1] = 0;
	return true;
}

static bool back_jump(struct marks *m, const struct xprog *p, const struct xobject *o,
		      const struct step *s, const struct bpf_insn *insn)
{
	uint16_t *reg = &m->reg[s->frame];
	uint16_t dst = 1 << insn->dst_reg, src = 1 << insn->src_reg;

	switch (BPF_OP(insn->code)) {
	case BPF_CALL:
		return back_call(m, p, o, s, insn);
	case BPF_EXIT:
		/* The result of a function becomes r0 of its caller. */
		if (!s->frame || m->reg[s->frame - 1] & ARGS)
			return false;
		*reg |= m->reg[s->frame - 1] & 1;
		m->reg[s->frame - 1] &= ~1;
		return true;
	case BPF_JA:
		return true;
	}
	if (BPF_SRC(insn->code) != BPF_X || !(*reg & (dst | src)))
		return true;
	*reg |= (s->flags & STEP_SRC_STACK ? 0 : src) | (s->flags & STEP_DST_STACK ? 0 : dst);
	return true;
}

/* Change the marks from those after step @s to those before it. Return false on failure. */
static bool back(struct marks *m, const struct xprog *p, const struct xobject *o,
		 const struct step *s)
{
	const struct bpf_insn *insn = &p->insn[s->insn];
	bool ok = true;

	if (s->links)
		spread_links(m, s->links);
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		back_alu(&m->reg[s->frame], insn);
		break;
	case BPF_LDX:
		back_load(m, s, insn);
		break;
	case BPF_ST:
	case BPF_STX:
		ok = back_store(m, s, insn);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		ok = back_jump(m, p, o, s, insn);
		break;
	case BPF_LD:
		m->reg[s->frame] &= ~(1 << insn->dst_reg);
		break;
	}
	if (s->links)
		spread_links(m, s->links);
	return ok;
}

static bool mark_reg(struct reg *r)
{
	bool news = r->type == T_SCALAR && !r->precise;

	if (news)
		r->precise = true;
	return news;
}

/* Mark in a kept state. Remove marks that it had before: earlier states have them already. */
static void mark_kept(struct kept *k, struct marks *m)
{
	struct frame *f;
	unsigned int i;
	int fr;

	for (fr = 0; fr <= k->st.cur; fr++) {
		f = k->st.frame[fr];
		for (i = 0; i < FP; i++)
			if (m->reg[fr] >> i & 1 && !mark_reg(&f->reg[i]))
				m->reg[fr] &= ~(1 << i);
		for (i = 0; i < SLOTS; i++) {
			if (!(m->slot[fr] >> i & 1))
				continue;
			if (i >= f->slots || !slot_is_spill(&f->slot[i]) ||
			    !mark_reg(&f->slot[i].reg))
				m->slot[fr] &= ~(1ull << i);
		}
	}
}

static void mark_one(struct reg *r, void *arg)
{
	(void)arg;
	mark_reg(r);
}

static void mark_all(struct state *st)
{
	struct kept *k;

	for (k = st->parent; k; k = k->st.parent)
		state_each(&k->st, mark_one, NULL);
}

void precise_mark(const struct xprog *p, const struct xobject *o, struct state *st,
		  struct step *step, const struct marks *marks)
{
	struct marks m = *marks;

	for (;;) {
		if (step->kept)
			mark_kept(step->kept, &m);
		step = step->prev;
		if (!step || marks_empty(&m))
			break;
		if (!back(&m, p, o, step)) {
			mark_all(st);
			return;
		}
	}
	/* Only the arguments of a global function have no instruction that sets them. */
	if (!marks_empty(&m) && !st->frame[0]->func)
		mark_all(st);
}
