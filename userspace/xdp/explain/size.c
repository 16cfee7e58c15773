// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* size.c - count the microengine instructions (words) that the JIT emits for a program. */
#include <stdlib.h>
#include "alloc.h"
#include "xlate.h"

#define WORDS_INTRO	2
#define WORDS_OUTRO	13
#define WORDS_PUSH_POP	18	/* routines that save and restore r6 to r9 */
#define WORDS_PREFETCH	8	/* nops after the end */

/* ---- arithmetic ---- */

static unsigned int logic_half(uint8_t op, uint32_t imm)
{
	if (op == BPF_AND && (!imm || !~imm))
		return !imm;
	if ((op == BPF_OR || op == BPF_XOR) && (!imm || !~imm))
		return !~imm;
	return words_operand(imm) + 1;
}

static unsigned int words_alu_imm(const struct xinsn *x, bool whole)
{
	uint64_t imm = (int64_t)x->insn.imm;
	uint8_t op = BPF_OP(x->insn.code);

	if (!whole)
		return logic_half(op, imm) + words_zext(x);
	if (((op == BPF_XOR || op == BPF_OR) && !imm) || (op == BPF_AND && !~imm))
		return 0;
	return logic_half(op, imm) + logic_half(op, imm >> 32);
}

static unsigned int words_mul(const struct xinsn *x)
{
	bool reg = BPF_SRC(x->insn.code) == BPF_X;
	uint32_t left = x->info->umax_dst, right = reg ? x->info->umax_src : (uint32_t)x->insn.imm;
	unsigned int n = reg ? 0 : words_operand(right);

	return n + (left > UINT16_MAX || right > UINT16_MAX ? 7 : 4);
}

struct reciprocal {
	uint64_t m;
	unsigned int log;
};

/* Return the shortest multiplier that gives exact quotients by @d of all numbers of @bits. */
static struct reciprocal reciprocal(uint32_t d, unsigned int bits)
{
	unsigned int log = d > 1 ? 32 - __builtin_clz(d - 1) : 0, shift = log;
	uint64_t one = 1ull << (32 + log), low = one / d;
	uint64_t high = (one + (1ull << (32 + log - bits))) / d;

	for (; shift && low >> 1 < high >> 1; shift--) {
		low >>= 1;
		high >>= 1;
	}
	return (struct reciprocal){ high, log };
}

static unsigned int words_div(const struct xinsn *x)
{
	uint64_t d = BPF_SRC(x->insn.code) == BPF_X ? x->info->umin_src :
						      (uint64_t)(int64_t)x->insn.imm;
	struct reciprocal r;
	unsigned int log, pre = 0, n;

	if (d > UINT32_MAX)
		return 1;
	if (d > 1u << 31)
		return words_operand(d) + 3;
	if (!d)
		return 0;
	r = reciprocal(d, 32);
	log = r.log;
	if (r.m > UINT32_MAX && !(d & 1)) {
		pre = __builtin_ctz(d);
		r = reciprocal(d >> pre, 32 - pre);
	}
	n = words_operand(r.m);
	if (d == 1ull << log)
		return n + 1;
	if (r.m > UINT32_MAX)
		return n + 7 + 4;
	return n + (pre ? 1 : 0) + 7 + 1;
}

/* Words of a shift by a constant, which may be in a register */
static unsigned int shift_const(const struct xinsn *x, bool whole, uint8_t by)
{
	bool arithmetic = BPF_OP(x->insn.code) == BPF_ARSH;

	if (!whole)
		return (by ? 1 + arithmetic : 0) + words_zext(x);
	return !by ? 0 : arithmetic && by != 32 ? 3 : 2;
}

static unsigned int words_shift(const struct xinsn *x, bool whole)
{
	uint64_t min = x->info->umin_src, max = x->info->umax_src;
	bool left = BPF_OP(x->insn.code) == BPF_LSH;

	if (BPF_SRC(x->insn.code) == BPF_K)
		return shift_const(x, whole, x->insn.imm);
	if (min == max)
		return shift_const(x, whole, min);
	if (!whole)
		return 2 + words_zext(x);
	if (max < 32)
		return left ? 5 : 4;
	if (min >= 32)
		return 3;
	return left ? 10 : 9;
}

static unsigned int words_mov(const struct xlate *t, const struct xinsn *x, bool whole)
{
	uint64_t imm = (int64_t)x->insn.imm;

	if (BPF_SRC(x->insn.code) == BPF_K)
		return words_immed(imm) + (whole ? words_immed(imm >> 32) : 1);
	if (whole && x->insn.src_reg == FP)
		return words_operand(t->depth[x->func]) + 2;
	return 2;
}

static unsigned int words_alu(const struct xlate *t, const struct xinsn *x)
{
	bool whole = BPF_CLASS(x->insn.code) == BPF_ALU64;

	switch (BPF_OP(x->insn.code)) {
	case BPF_MOV:
		return words_mov(t, x, whole);
	case BPF_MUL:
		return words_mul(x);
	case BPF_DIV:
		return words_div(x);
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		return words_shift(x, whole);
	case BPF_NEG:
		return whole ? 2 : 1 + words_zext(x);
	case BPF_END:
		return x->insn.imm == 64 ? 5 : 3;
	}
	if (BPF_SRC(x->insn.code) == BPF_K)
		return words_alu_imm(x, whole);
	return whole ? 2 : 1 + words_zext(x);
}

/* ---- jumps ---- */

static unsigned int compare_imm(const struct xinsn *x, bool half)
{
	uint64_t imm = (int64_t)x->insn.imm;
	uint32_t low = imm, high = imm >> 32;

	switch (BPF_OP(x->insn.code)) {
	case BPF_JEQ:
		if (half)
			return words_operand(low) + 2;
		return (low ? words_operand(low) + 1 : 0) + (high ? words_operand(high) + 1 : 0) + 2;
	case BPF_JNE:
		if (!imm)
			return 2;
		return words_operand(low) + 2 + (half ? 0 : words_operand(high) + 2);
	case BPF_JSET:
		return words_operand(low) + 1 + (!half && high ? 1 : 0) + 1;
	}
	return words_operand(low) + 1 + (half ? 0 : words_operand(high) + 1) + 1;
}

static unsigned int words_jump(const struct xinsn *x)
{
	bool half = BPF_CLASS(x->insn.code) == BPF_JMP32;

	if (BPF_OP(x->insn.code) == BPF_JA)
		return 1;
	if (BPF_SRC(x->insn.code) == BPF_K)
		return compare_imm(x, half);
	switch (BPF_OP(x->insn.code)) {
	case BPF_JEQ:
		return half ? 2 : 4;
	case BPF_JNE:
	case BPF_JSET:
		return half ? 2 : 4;
	}
	return half ? 2 : 3;
}

/* ---- calls ---- */

static unsigned int words_map_call(const struct xlate *t, const struct xinsn *x)
{
	bool load = x->info->key_moves || (int)t->depth[x->func] + x->info->key_off;

	if (!load && x->info->key_caller)
		issue_add(&t->w->p->issues, WHY_CALLER_KEY, x - t->x, "the key is on a caller's "
			  "stack, but the JIT looks for it on the function's own");
	return (load ? 5 : 0) + (x->insn.imm == BPF_FUNC_map_update_elem) + 3;
}

static unsigned int words_helper(const struct xlate *t, const struct xinsn *x)
{
	switch (x->insn.imm) {
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_map_delete_elem:
		return words_map_call(t, x);
	case BPF_FUNC_xdp_adjust_head:
		return t->w->head_at >= 0 ? 5 : 16;
	case BPF_FUNC_xdp_adjust_tail:
		return 11;
	}
	return 3;	/* bpf_get_prandom_u32(), bpf_perf_event_output() */
}

static unsigned int words_call(const struct xlate *t, const struct xinsn *x)
{
	unsigned int depth = (t->depth[x->func] + 63) & ~63u, n;
	int callee = survey_func_at(t->w, x - t->x + 1 + x->insn.imm);

	if (x->insn.src_reg != BPF_PSEUDO_CALL)
		return words_helper(t, x);
	n = t->push[callee < 0 ? 0 : callee] ? 3 : 2;
	if (depth)
		n += 2 * words_operand(depth) + 2 + 5;
	return n;
}

/* ---- the program ---- */

static unsigned int words_insn(const struct xlate *t, const struct xinsn *x)
{
	uint32_t low, high;

	switch (BPF_CLASS(x->insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return words_alu(t, x);
	case BPF_LDX:
		return words_load(t, x);
	case BPF_STX:
		return BPF_MODE(x->insn.code) == BPF_ATOMIC ? words_add(x) : words_store(t, x);
	case BPF_LD:
		if (x->insn.src_reg)
			return 2;	/* the number of a map on the card */
		low = x->insn.imm;
		high = x[1].insn.imm;
		return words_immed(low) + (high == low ? 1 : words_immed(high));
	case BPF_JMP:
		if (BPF_OP(x->insn.code) == BPF_CALL)
			return words_call(t, x);
		if (BPF_OP(x->insn.code) == BPF_EXIT)
			return x->func > 0 ? 2 : 1;
		break;
	case BPF_ST:
		return 0;
	}
	return words_jump(x);
}

/* Refuse a shift by a register that holds a constant which is too large. */
static void check_shift(const struct xlate *t, const struct xinsn *x)
{
	bool whole = BPF_CLASS(x->insn.code) == BPF_ALU64;
	uint8_t op = BPF_OP(x->insn.code), by = x->info->umin_src;

	if ((BPF_CLASS(x->insn.code) != BPF_ALU && !whole) || BPF_SRC(x->insn.code) != BPF_X ||
	    (op != BPF_LSH && op != BPF_RSH && op != BPF_ARSH) ||
	    x->info->umin_src != x->info->umax_src || by < (whole ? 64 : 32))
		return;
	issue_add(&t->w->p->issues, WHY_SHIFT, x - t->x, "a shift of %u bits by %u",
		  whole ? 64 : 32, by);
}

static void check_target(const struct xlate *t, const struct xinsn *x)
{
	int to = x - t->x + 1 + x->insn.off;

	if ((BPF_CLASS(x->insn.code) != BPF_JMP && BPF_CLASS(x->insn.code) != BPF_JMP32) ||
	    BPF_OP(x->insn.code) == BPF_CALL || BPF_OP(x->insn.code) == BPF_EXIT)
		return;
	if (to >= 0 && to < t->n && t->x[to].skip)
		issue_add(&t->w->p->issues, WHY_BRANCH, x - t->x,
			  "a jump to an instruction that the JIT removes");
}

static unsigned int words_all(const struct xlate *t)
{
	unsigned int n = WORDS_INTRO + WORDS_OUTRO + WORDS_PREFETCH;
	bool push = false;
	int i;

	t->w->p->insn_words = xzalloc(t->n * sizeof(*t->w->p->insn_words));
	for (i = 0; i < t->n; i++) {
		const struct xinsn *x = &t->x[i];

		n += x->func_start;
		if (x_gone(x))
			continue;
		check_shift(t, x);
		check_target(t, x);
		t->w->p->insn_words[i] = words_insn(t, x);
		n += t->w->p->insn_words[i];
		if (x->insn.code == (BPF_LD | BPF_IMM | BPF_DW))
			i++;
	}
	for (i = 1; i < t->w->funcs; i++)
		push |= t->push[i];
	return n + (push ? WORDS_PUSH_POP : 0);
}

/* Bytes of a frame: the variables and, except in the program itself, return address, r6 to r9 */
static unsigned int frame_size(const struct xlate *t, int func)
{
	return t->w->func[func].stack + (func ? 4 + (t->push[func] ? 32 : 0) : 0);
}

/*
 * Return the stack of @func and of its deepest chain of calls. @most has this number for all
 * functions one level deeper, and is NULL at the deepest level.
 */
static unsigned int stack_from(const struct xlate *t, int func, const unsigned int *most)
{
	unsigned int own = (frame_size(t, func) + 63) & ~63u, below = 0;
	int i, callee;

	for (i = t->w->func[func].start; most && i < t->w->func[func].end; i++) {
		callee = survey_callee(t->w, i);
		if (callee >= 0 && most[callee] > below)
			below = most[callee];
	}
	return own + below;
}

/* Go level by level: the number of chains of calls may grow exponentially with the depth. */
static unsigned int stack_all(const struct xlate *t)
{
	unsigned int most[2][FUNCS];
	int depth, i;

	for (depth = FRAMES; depth >= 0; depth--)
		for (i = 0; i < t->w->funcs; i++)
			most[depth % 2][i] = stack_from(t, i, depth == FRAMES ? NULL :
							most[(depth + 1) % 2]);
	return most[0][0];
}

unsigned int size_count(struct walk *w)
{
	struct xlate *t = xzalloc(sizeof(*t));
	unsigned int n;
	int i;

	t->w = w;
	t->n = w->p->insns;
	t->x = xzalloc(t->n * sizeof(*t->x));
	xlate_prepare(t);
	xlate_optimize(t);
	for (i = 0; i < w->funcs; i++)
		t->depth[i] = (frame_size(t, i) + 3) & ~3u;
	w->p->stack = stack_all(t);
	n = words_all(t);
	if (t->open_copy)
		issue_add(&w->p->issues, WHY_OPEN_COPY, t->open_copy - t->x,
			  "a copy of packet bytes directly precedes the end: the driver "
			  "dereferences a null pointer");
	for (i = 0; i < t->n; i++)
		if (t->x[i].cache_to && !x_gone(&t->x[i]))
			w->info[i].cache = t->x[i].cache_load ? CACHE_FILLS : CACHE_USES;
	free(t->x);
	free(t);
	return n;
}
