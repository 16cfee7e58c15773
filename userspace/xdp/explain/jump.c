// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump.c - follow jumps: on which path the program continues, and what is known there. */
#include "walk.h"

static bool is_packet(const struct reg *r)
{
	return r->type == T_PACKET || r->type == T_META || r->type == T_PACKET_END;
}

static bool is_pointer(const struct reg *r)
{
	return r->type != T_SCALAR && r->type != T_ANY;
}

/* ---- is the jump taken? ---- */

/* Compare a packet pointer with data_end, if an earlier jump on this path did so. */
static int packet_branch(const struct reg *a, const struct reg *b, uint8_t op)
{
	const struct reg *ptr;

	if (b->type == T_PACKET_END) {
		ptr = a;
	} else if (a->type == T_PACKET_END) {
		ptr = b;
		op = branch_flip(op);
	} else {
		return -1;
	}
	if (ptr->range >= 0)
		return -1;
	switch (op) {
	case BPF_JLE:
	case BPF_JGT:
		return ptr->range == BEHIND_END ? op == BPF_JGT : -1;
	case BPF_JLT:
	case BPF_JGE:
		return op == BPF_JGE;
	}
	return -1;
}

static int branch(const struct reg *a, const struct reg *b, uint8_t op, bool half)
{
	const struct reg *t;

	if (a->type == T_ANY || b->type == T_ANY)
		return -1;
	if (is_packet(a) && is_packet(b) && !half)
		return packet_branch(a, b, op);
	if (!is_pointer(a) && !is_pointer(b))
		return scalar_branch(&a->var, &b->var, op, half);
	/* Of a pointer, the verifier knows only that one to a map or its value is not NULL. */
	if (is_pointer(b)) {
		t = a;
		a = b;
		b = t;
	}
	if (is_pointer(b) || !scalar_half_const(&b->var, half) || (a->type != T_VALUE && a->type != T_MAP) || half ||
	    (half ? (uint32_t)b->var.bits.value : b->var.bits.value))
		return -1;
	return op == BPF_JEQ ? 0 : op == BPF_JNE ? 1 : -1;
}

/* ---- what is known after the jump? ---- */

struct about {
	uint32_t id;
	uint8_t type;
	int range;
	bool null;
};

static void say_range(struct reg *r, void *arg)
{
	const struct about *a = arg;

	if (r->type == a->type && r->id == a->id && r->range < a->range)
		r->range = a->range;
}

/* The packet has all bytes before @ptr, and with @one_more the byte at @ptr. */
static void packet_good(struct state *st, const struct reg *ptr, bool one_more)
{
	struct about a = { .id = ptr->id, .type = ptr->type, .range = ptr->off + one_more };

	if (ptr->off < 0 || (!ptr->off && one_more) || ptr->var.umax > 0xffff ||
	    ptr->var.umax + ptr->off > 0xffff)
		return;
	state_each(st, say_range, &a);
}

static void packet_bad(struct state *st, unsigned int n, bool behind)
{
	if (cur_regs(st)[n].type == T_PACKET)
		cur_regs(st)[n].range = behind ? BEHIND_END : AT_END;
}

static bool packet_start(const struct reg *r)
{
	return r->type == T_PACKET && !r->id && !r->off && scalar_is_zero(&r->var);
}

/*
 * Learn from a comparison of a packet pointer with data_end, or of a metadata pointer with
 * data. Return false for other comparisons.
 */
static bool packet_compare(struct walk *w, struct state *taken, const struct bpf_insn *insn)
{
	const struct reg *a = &cur_regs(&w->st)[insn->dst_reg];
	const struct reg *b = &cur_regs(&w->st)[insn->src_reg];
	uint8_t op = BPF_OP(insn->code), n = insn->dst_reg;
	struct reg ptr;
	bool second;

	if (BPF_SRC(insn->code) != BPF_X || BPF_CLASS(insn->code) != BPF_JMP)
		return false;
	if ((a->type == T_PACKET && b->type == T_PACKET_END) ||
	    (a->type == T_META && packet_start(b)))
		second = false;
	else if ((b->type == T_PACKET && a->type == T_PACKET_END) ||
		 (b->type == T_META && packet_start(a)))
		second = true;
	else
		return false;
	ptr = second ? *b : *a;
	if (second) {
		op = branch_flip(op);
		n = insn->src_reg;
	}
	switch (op) {
	case BPF_JGT:	/* when not taken, ptr <= end */
		packet_good(&w->st, &ptr, false);
		packet_bad(taken, n, true);
		return true;
	case BPF_JGE:
		packet_good(&w->st, &ptr, true);
		packet_bad(taken, n, false);
		return true;
	case BPF_JLT:
		packet_good(taken, &ptr, true);
		packet_bad(&w->st, n, false);
		return true;
	case BPF_JLE:
		packet_good(taken, &ptr, false);
		packet_bad(&w->st, n, true);
		return true;
	}
	return false;
}

static void say_null(struct reg *r, void *arg)
{
	const struct about *a = arg;

	if (r->type != T_VALUE_NULL || r->id != a->id)
		return;
	if (a->null) {
		reg_const(r, 0);
	} else {
		r->type = T_VALUE;
		r->id = 0;
	}
}

static void value_null(struct state *st, uint32_t id, bool null)
{
	struct about a = { .id = id, .null = null };

	state_each(st, say_null, &a);
}

/* Return the register that may be NULL, when the other one is a pointer that is not NULL. */
static struct reg *maybe_null(struct reg *a, struct reg *b)
{
	if (b->type == T_VALUE_NULL) {
		struct reg *t = a;

		a = b;
		b = t;
	}
	return a->type == T_VALUE_NULL && is_pointer(b) && b->type != T_VALUE_NULL ? a : NULL;
}

/*
 * A register that equals a pointer that is not NULL is not NULL, either. As in the verifier,
 * nothing changes for copies of the register.
 */
static bool pointer_compare(struct walk *w, struct state *taken, const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);
	struct reg *r, *regs;

	if (BPF_SRC(insn->code) != BPF_X || BPF_CLASS(insn->code) != BPF_JMP ||
	    (op != BPF_JEQ && op != BPF_JNE))
		return false;
	regs = cur_regs(op == BPF_JEQ ? taken : &w->st);
	r = maybe_null(&regs[insn->dst_reg], &regs[insn->src_reg]);
	if (r)
		r->type = T_VALUE;
	return r;
}

/* ---- registers with the same id ---- */

static void links_add(struct walk *w, struct links *l, uint32_t id)
{
	unsigned int j;
	int i;

	id &= ~ID_ADD;
	if (!id)
		return;
	for (i = w->st.cur; i >= 0; i--) {
		struct frame *f = w->st.frame[i];

		for (j = 0; j < FP + f->slots; j++) {
			bool slot = j >= FP;
			struct reg *r = slot ? &f->slot[j - FP].reg : &f->reg[j];

			if (slot && !slot_is_spill(&f->slot[j - FP]))
				continue;
			if (r->type != T_SCALAR || (r->id & ~ID_ADD) != id)
				continue;
			if (l->count == LINKS) {
				r->id = r->off = 0;
				continue;
			}
			l->to[l->count].frame = i;
			l->to[l->count].index = slot ? j - FP : j;
			l->to[l->count++].slot = slot;
		}
	}
}

/* Update the registers and slots in @l by what is known of register @n now. */
static void links_sync(struct state *st, unsigned int n, const struct links *l)
{
	const struct reg *known = &cur_regs(st)[n];
	struct frame *f;
	unsigned int i;
	struct reg *r, was;

	if (known->type != T_SCALAR || !known->id)
		return;
	for (i = 0; i < l->count; i++) {
		f = st->frame[l->to[i].frame];
		r = l->to[i].slot ? &f->slot[l->to[i].index].reg : &f->reg[l->to[i].index];
		if (r == known || r->type != T_SCALAR ||
		    (r->id & ~ID_ADD) != (known->id & ~ID_ADD))
			continue;
		was = *r;
		reg_copy(r, known);
		r->def32 = was.def32;
		if ((!(was.id & ID_ADD) && !(known->id & ID_ADD)) || was.off == known->off)
			continue;
		r->off = was.off;
		r->id = was.id;
		scalar_add_const(&r->var, was.off - known->off);
	}
}

/* ---- the jump ---- */

static struct links *links_of(struct walk *w, const struct reg *a, const struct reg *b)
{
	struct links l = { 0 }, *kept;

	if (b && b->type == T_SCALAR)
		links_add(w, &l, b->id);
	if (a->type == T_SCALAR)
		links_add(w, &l, a->id);
	if (!l.count)
		return NULL;
	kept = walk_links(w);
	*kept = l;
	if (l.count > 1) {
		w->st.step->links = kept;
		w->st.history++;
	}
	return kept;
}

static enum flow conditional(struct walk *w, const struct bpf_insn *insn)
{
	struct reg *a = &cur_regs(&w->st)[insn->dst_reg], imm[2] = { { 0 } };
	struct reg *b = BPF_SRC(insn->code) == BPF_X ? &cur_regs(&w->st)[insn->src_reg] : NULL;
	bool half = BPF_CLASS(insn->code) == BPF_JMP32, null;
	uint8_t op = BPF_OP(insn->code);
	struct links *links;
	struct state *taken;
	struct reg *ta, *tb;
	uint32_t id;
	int way;

	if (!operand_read(w, insn->dst_reg, !half) || (b && !operand_read(w, insn->src_reg, !half)))
		return walk_refused(w, "an operand of the jump is read before it is written");
	if (a->type == T_STACK)
		w->st.step->flags |= STEP_DST_STACK;
	if (b && b->type == T_STACK)
		w->st.step->flags |= STEP_SRC_STACK;
	reg_const(&imm[0], (int64_t)insn->imm);
	imm[1] = imm[0];
	way = branch(a, b ? b : &imm[0], op, half);
	if (way >= 0) {
		walk_precise(w, insn->dst_reg);
		if (b)
			walk_precise(w, insn->src_reg);
		w->st.insn += 1 + (way ? insn->off : 0);
		return FLOW_NEXT;
	}
	if (a->type == T_ANY || (b && b->type == T_ANY))
		w->st.guess = true;
	links = links_of(w, a, b);
	taken = walk_push(w, w->st.insn + 1 + insn->off);
	ta = &cur_regs(taken)[insn->dst_reg];
	tb = b ? &cur_regs(taken)[insn->src_reg] : &imm[1];
	if (a->type == T_SCALAR && (!b || b->type == T_SCALAR)) {
		scalar_learn(&a->var, b ? &b->var : &imm[0].var, op, false, half);
		scalar_learn(&ta->var, &tb->var, op, true, half);
	}
	if (links && b) {
		links_sync(&w->st, insn->src_reg, links);
		links_sync(taken, insn->src_reg, links);
	}
	if (links) {
		links_sync(&w->st, insn->dst_reg, links);
		links_sync(taken, insn->dst_reg, links);
	}
	if (!half && !b && !insn->imm && (op == BPF_JEQ || op == BPF_JNE) &&
	    a->type == T_VALUE_NULL) {
		null = op == BPF_JEQ;
		id = a->id;
		value_null(&w->st, id, !null);
		value_null(taken, id, null);
	} else if (!pointer_compare(w, taken, insn)) {
		packet_compare(w, taken, insn);
	}
	w->st.insn++;
	return FLOW_NEXT;
}

enum flow jump_run(struct walk *w)
{
	const struct bpf_insn *insn = cur_insn(w);

	if (BPF_OP(insn->code) != BPF_JA)
		return BPF_OP(insn->code) > BPF_JSLE ? walk_refused(w, "no such instruction") :
						       conditional(w, insn);
	w->st.insn += 1 + (BPF_CLASS(insn->code) == BPF_JMP32 ? insn->imm : insn->off);
	return FLOW_NEXT;
}
