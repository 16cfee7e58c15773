// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* insn.c - follow arithmetic: what it makes of the contents of registers. */
#include "walk.h"

#define OFFSET_MAX	(1 << 29)	/* the verifier's limit for the offset of a pointer */

bool operand_read(struct walk *w, unsigned int n, bool whole)
{
	struct reg *r = &cur_regs(&w->st)[n];

	if (r->type == T_NONE)
		return false;
	if (n == FP)
		return true;
	if (whole && r->def32) {
		w->info[r->def32 - 1].zext = true;
		r->def32 = 0;
	}
	reg_read(r, whole ? LIVE_READ64 : LIVE_READ32);
	return true;
}

void operand_write(struct walk *w, unsigned int n, bool whole)
{
	struct reg *r = &cur_regs(&w->st)[n];

	r->live |= LIVE_WRITTEN;
	r->def32 = whole ? 0 : w->st.insn + 1;
}

static enum flow uninitialized(struct walk *w, unsigned int n)
{
	return walk_refused(w, "register r%u is read before it is written", n);
}

static enum flow next(struct walk *w)
{
	w->st.insn++;
	return FLOW_NEXT;
}

/* Give the register an id, for its copies to share: a comparison of one then narrows all. */
static void share_id(struct walk *w, struct reg *r)
{
	if (r->type != T_SCALAR)
		return;
	if (r->id & ID_ADD) {
		r->id = 0;
		r->off = 0;
	}
	if (!r->id && !scalar_is_const(&r->var))
		r->id = ++w->ids;
}

static void unshare(struct reg *r)
{
	r->id = 0;
	r->off = 0;
}

/* Move with sign extension of the lower @bits. */
static void move_signed(struct walk *w, struct reg *dst, struct reg *src, int bits, bool whole)
{
	bool fits = src->var.umax < 1ull << (bits - 1);

	if (fits)
		share_id(w, src);
	reg_copy(dst, src);
	if (!fits)
		unshare(dst);
	scalar_extend(&dst->var, bits, !whole);
}

static enum flow move(struct walk *w, const struct bpf_insn *insn)
{
	bool whole = BPF_CLASS(insn->code) == BPF_ALU64;
	struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];
	struct reg *src = &cur_regs(&w->st)[insn->src_reg];
	bool fits;

	if (BPF_SRC(insn->code) == BPF_K) {
		operand_write(w, insn->dst_reg, whole);
		reg_const(dst, whole ? (uint64_t)(int64_t)insn->imm : (uint32_t)insn->imm);
		return next(w);
	}
	if (!operand_read(w, insn->src_reg, whole))
		return uninitialized(w, insn->src_reg);
	operand_write(w, insn->dst_reg, whole);
	if (whole && !insn->off) {
		share_id(w, src);
		reg_copy(dst, src);
		dst->def32 = 0;
		return next(w);
	}
	if (src->type == T_ANY) {
		reg_copy(dst, src);
	} else if (src->type != T_SCALAR) {
		reg_unknown(dst);
	} else if (insn->off) {
		move_signed(w, dst, src, insn->off, whole);
	} else {
		fits = scalar_width(&src->var) <= 32;
		if (fits)
			share_id(w, src);
		reg_copy(dst, src);
		if (!fits)
			unshare(dst);
	}
	dst->def32 = whole ? 0 : w->st.insn + 1;
	if (!whole && dst->type == T_SCALAR) {
		scalar_zext(&dst->var);
		scalar_sync(&dst->var);
	}
	return next(w);
}

/* Negate or swap bytes. Nothing is known of the result. */
static enum flow unary(struct walk *w, const struct bpf_insn *insn)
{
	bool whole = BPF_CLASS(insn->code) == BPF_ALU64;
	struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];

	if (BPF_OP(insn->code) == BPF_END)
		whole = insn->imm == 64;
	if (!operand_read(w, insn->dst_reg, whole))
		return uninitialized(w, insn->dst_reg);
	operand_write(w, insn->dst_reg, whole);
	if (dst->type != T_ANY)
		reg_unknown(dst);
	return next(w);
}

/* ---- pointers ---- */

static bool sane_offset(const struct reg *r)
{
	int64_t v = r->var.bits.value;

	if (scalar_is_const(&r->var) && (v >= OFFSET_MAX || v <= -OFFSET_MAX))
		return false;
	if (r->type != T_SCALAR && (r->off >= OFFSET_MAX || r->off <= -OFFSET_MAX))
		return false;
	return r->var.smin < OFFSET_MAX && r->var.smin > -OFFSET_MAX;
}

static void any_half(struct scalar *s)
{
	struct scalar any;

	scalar_any(&any);
	s->umin32 = any.umin32;
	s->umax32 = any.umax32;
	s->smin32 = any.smin32;
	s->smax32 = any.smax32;
}

/* Add @num to the pointer in @dst. */
static void pointer_add(struct walk *w, struct reg *dst, const struct scalar *num)
{
	struct scalar *v = &dst->var;

	scalar_bounds_add(v, num);
	v->bits = bits_add(v->bits, num->bits);
	if (dst->type == T_PACKET || dst->type == T_META) {
		dst->id = ++w->ids;
		dst->range = 0;
	}
}

static void pointer_sub(struct walk *w, struct reg *dst, const struct scalar *num)
{
	struct scalar *v = &dst->var;

	scalar_bounds_sub(v, num);
	v->bits = bits_sub(v->bits, num->bits);
	if (dst->type == T_PACKET || dst->type == T_META) {
		dst->id = ++w->ids;
		if (num->smin < 0)
			dst->range = 0;
	}
}

/*
 * Add @number to a pointer, or subtract it, with the result in @dst. @ptr_reg is @dst when the
 * pointer is the first operand; a pointer cannot be subtracted from a number.
 */
static enum flow pointer_alu(struct walk *w, struct reg *dst, const struct reg *ptr_reg,
			     const struct scalar *number, uint8_t op)
{
	struct reg ptr = *ptr_reg, num = { .type = T_SCALAR, .var = *number };
	int64_t off;

	if (ptr.type == T_VALUE_NULL)
		return walk_refused(w, "arithmetic on a map value pointer that may be NULL");
	if (ptr.type == T_PACKET_END ||
	    (ptr.type == T_MAP && !(scalar_is_zero(number) && op == BPF_ADD)))
		return walk_refused(w, "arithmetic on a pointer to %s",
				    ptr.type == T_MAP ? "a map" : "the packet's end");
	if (op != BPF_ADD && (op != BPF_SUB || ptr.type == T_STACK || dst != ptr_reg))
		return walk_refused(w, "this operation is not allowed on pointers");
	if (!sane_offset(&num) || !sane_offset(&ptr))
		return walk_refused(w, "offset of a pointer may be out of bounds");
	if (dst != ptr_reg) {
		reg_copy(dst, &ptr);
		dst->live |= LIVE_WRITTEN;
	}
	any_half(&dst->var);
	off = ptr.off + (op == BPF_ADD ? number->smin : -number->smin);
	if (scalar_is_const(number) && off == (int32_t)off)
		dst->off = off;
	else
		(op == BPF_ADD ? pointer_add : pointer_sub)(w, dst, number);
	if (!sane_offset(dst))
		return walk_refused(w, "offset of a pointer may be out of bounds");
	scalar_sync(&dst->var);
	return next(w);
}

/* ---- numbers ---- */

/*
 * A comparison can leave a mask that is 0 or all ones. Like the verifier, follow the two values
 * as two paths.
 */
static void fork_mask(struct walk *w, struct reg *dst, unsigned int n, const struct scalar *src,
		      uint8_t op)
{
	struct scalar other;
	struct state *st;
	bool half;

	if ((op != BPF_AND && op != BPF_OR) || !scalar_is_const(src))
		return;
	if (dst->var.smin == -1 && !dst->var.smax)
		half = false;
	else if (dst->var.smin32 == -1 && !dst->var.smax32)
		half = true;
	else
		return;
	st = walk_push(w, w->st.insn);
	scalar_const(&other, 0);
	if (half) {
		other.bits.value |= dst->var.bits.value & ~(uint64_t)UINT32_MAX;
		other.bits.unknown |= dst->var.bits.unknown & ~(uint64_t)UINT32_MAX;
		other.umin = dst->var.umin;
		other.umax = dst->var.umax;
		other.smin = dst->var.smin;
		other.smax = dst->var.smax;
	}
	cur_regs(st)[n].var = other;
	if (half) {
		dst->var.bits.value |= UINT32_MAX;
		dst->var.bits.unknown &= ~(uint64_t)UINT32_MAX;
		dst->var.umin32 = dst->var.umax32 = UINT32_MAX;
		dst->var.smin32 = dst->var.smax32 = -1;
	} else {
		scalar_const(&dst->var, UINT64_MAX);
	}
}

/* Keep the link between registers after "r1 = r2; r1 += 8": a jump on r2 narrows r1 as well. */
static void link_sum(struct reg *dst, const struct scalar *src, const struct bpf_insn *insn)
{
	if (insn->code != (BPF_ALU64 | BPF_ADD | BPF_SRC(insn->code)) || !dst->id ||
	    !scalar_is_const(src) || dst->id & ID_ADD || src->bits.value > INT32_MAX ||
	    (BPF_SRC(insn->code) == BPF_X && insn->src_reg == insn->dst_reg)) {
		unshare(dst);
		return;
	}
	dst->id |= ID_ADD;
	dst->off = src->bits.value;
}

/*
 * Note the instruction @def that left the upper half of the dividend as it was. A 32-bit move
 * is not noted, because it clears the upper half.
 */
static void note_half(struct walk *w, const struct bpf_insn *insn, int32_t def)
{
	struct insn_info *i = &w->info[w->st.insn];

	if (BPF_OP(insn->code) != BPF_DIV || !def ||
	    (w->p->insn[def - 1].code & ~BPF_X) == (BPF_ALU | BPF_MOV))
		return;
	i->half = !i->half || i->half == def ? def : -1;
}

static bool number_ok(struct walk *w, const struct bpf_insn *insn)
{
	int bits = BPF_CLASS(insn->code) == BPF_ALU64 ? 64 : 32;

	if (BPF_SRC(insn->code) != BPF_K)
		return true;
	switch (BPF_OP(insn->code)) {
	case BPF_DIV:
	case BPF_MOD:
		if (!insn->imm)
			walk_refused(w, "division by zero");
		return insn->imm;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		if (insn->imm < 0 || insn->imm >= bits)
			walk_refused(w, "shift by %d of %d bits", insn->imm, bits);
		return insn->imm >= 0 && insn->imm < bits;
	}
	return true;
}

static enum flow binary(struct walk *w, const struct bpf_insn *insn)
{
	bool whole = BPF_CLASS(insn->code) == BPF_ALU64, reg = BPF_SRC(insn->code) == BPF_X;
	struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];
	struct reg *src = &cur_regs(&w->st)[insn->src_reg], imm = { 0 };
	struct scalar number;

	if (reg && !operand_read(w, insn->src_reg, whole))
		return uninitialized(w, insn->src_reg);
	if (!operand_read(w, insn->dst_reg, whole))
		return uninitialized(w, insn->dst_reg);
	if (!number_ok(w, insn))
		return FLOW_END;
	if (!whole)
		note_half(w, insn, dst->def32);
	operand_write(w, insn->dst_reg, whole);
	if (!reg) {
		reg_const(&imm, (int64_t)insn->imm);
		src = &imm;
	}
	if (dst->type == T_ANY || src->type == T_ANY) {
		reg_set(dst, T_ANY);
		return next(w);
	}
	if (dst->type != T_SCALAR && src->type != T_SCALAR) {
		if (BPF_OP(insn->code) != BPF_SUB)
			return walk_refused(w, "arithmetic with two pointers");
		reg_unknown(dst);
		return next(w);
	}
	if (dst->type != T_SCALAR || src->type != T_SCALAR) {
		if (reg)
			walk_precise(w, dst->type == T_SCALAR ? insn->dst_reg : insn->src_reg);
		if (!whole && BPF_OP(insn->code) != BPF_SUB)
			return walk_refused(w, "arithmetic of 32 bits on a pointer");
		if (!whole) {
			reg_unknown(dst);
			return next(w);
		}
		number = dst->type == T_SCALAR ? dst->var : src->var;
		return pointer_alu(w, dst, dst->type == T_SCALAR ? src : dst, &number,
				   BPF_OP(insn->code));
	}
	fork_mask(w, dst, insn->dst_reg, &src->var, BPF_OP(insn->code));
	number = src->var;
	scalar_alu(&dst->var, &number, insn->code);
	link_sum(dst, &number, insn);
	return next(w);
}

/* ---- the rest ---- */

/* Load a 64-bit constant, or a reference that the loader replaces by an address. */
static enum flow load_imm(struct walk *w, const struct bpf_insn *insn)
{
	struct reg *dst = &cur_regs(&w->st)[insn->dst_reg];

	if (insn->code != (BPF_LD | BPF_IMM | BPF_DW) || w->st.insn + 1 == w->p->insns)
		return walk_refused(w, "a packet load by BPF_ABS or BPF_IND");
	operand_write(w, insn->dst_reg, true);
	switch (insn->src_reg) {
	case 0:
		reg_const(dst, (uint32_t)insn->imm | (uint64_t)(uint32_t)insn[1].imm << 32);
		break;
	case BPF_PSEUDO_MAP_IDX:
		reg_set(dst, T_MAP);
		dst->map = insn->imm;
		break;
	case BPF_PSEUDO_MAP_IDX_VALUE:
		reg_set(dst, T_VALUE);
		dst->map = insn->imm;
		dst->off = insn[1].imm;
		break;
	default:
		reg_set(dst, T_ANY);
		issue_add(&w->p->issues, WHY_UNKNOWN, w->st.insn,
			  "a constant that is known only when the program is loaded");
	}
	if ((dst->type == T_MAP || dst->type == T_VALUE) && dst->map >= w->o->maps)
		return walk_refused(w, "no map %u", dst->map);
	w->info[w->st.insn + 1].seen = true;
	w->st.insn += 2;
	return FLOW_NEXT;
}

/* Whether all fields that the instruction does not use are zero. */
static bool fields_ok(const struct bpf_insn *insn)
{
	bool whole = BPF_CLASS(insn->code) == BPF_ALU64, reg = BPF_SRC(insn->code) == BPF_X;
	int off = insn->off;

	switch (BPF_OP(insn->code)) {
	case BPF_NEG:
		return !reg && !insn->src_reg && !off && !insn->imm;
	case BPF_END:
		return !insn->src_reg && !off && !(whole && reg) &&
		       (insn->imm == 16 || insn->imm == 32 || insn->imm == 64);
	case BPF_MOV:
		if (off && !(reg && (off == 8 || off == 16 || (whole && off == 32))))
			return false;
		break;
	case BPF_DIV:
	case BPF_MOD:
		if (off != 0 && off != 1)
			return false;
		break;
	default:
		if (off)
			return false;
	}
	return reg ? !insn->imm : !insn->src_reg;
}

enum flow insn_run(struct walk *w)
{
	const struct bpf_insn *insn = cur_insn(w);

	if (insn->dst_reg >= REGS || insn->src_reg >= REGS)
		return walk_refused(w, "no register r%u",
				    insn->dst_reg >= REGS ? insn->dst_reg : insn->src_reg);
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		if (insn->dst_reg == FP)
			return walk_refused(w, "r10 is written");
		if (!fields_ok(insn))
			return walk_refused(w, "unused fields of the instruction are not zero");
		switch (BPF_OP(insn->code)) {
		case BPF_MOV:
			return move(w, insn);
		case BPF_NEG:
		case BPF_END:
			return unary(w, insn);
		}
		return BPF_OP(insn->code) > BPF_END ? walk_refused(w, "no such instruction") :
						      binary(w, insn);
	case BPF_LD:
		return load_imm(w, insn);
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		return memory_run(w);
	}
	w->jumps++;
	switch (BPF_OP(insn->code)) {
	case BPF_CALL:
		return call_run(w);
	case BPF_EXIT:
		return exit_run(w);
	}
	return jump_run(w);
}
