// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* gen_alu.c - arithmetic statements. */
#include "gen.h"

static int class(struct gen *g)
{
	return one_in(g, 2) ? BPF_ALU64 : BPF_ALU;
}

/* Return a register with a number that may be overwritten. */
static int operand(struct gen *g)
{
	int r = pick_dst(g);

	if (r < 0)
		return -1;
	if (g->s.r[r].kind != K_SCALAR) {
		mov_imm(g, r, any_imm(g));
		set_scalar(g, r);
	}
	return r;
}

bool st_alu(struct gen *g)
{
	static const uint8_t ops[] = { BPF_ADD, BPF_SUB, BPF_AND, BPF_OR, BPF_XOR };
	int dst = operand(g), src = pick(g, K_SCALAR);
	uint8_t op = ops[below(g, sizeof(ops))];

	if (dst < 0)
		return false;
	if (one_in(g, 2))
		emit(g, class(g) | op | BPF_X, dst, src, 0, 0);
	else
		emit(g, class(g) | op | BPF_K, dst, 0, 0, any_imm(g));
	return true;
}

bool st_mov(struct gen *g)
{
	int dst = pick_dst(g), src = pick(g, K_SCALAR), off = 0;

	if (dst < 0)
		return false;
	if (src < 0 || one_in(g, 3)) {
		emit(g, class(g) | BPF_MOV | BPF_K, dst, 0, 0, any_imm(g));
	} else {
		if (allowed(g, AVOID_MOVSX) && one_in(g, 2))
			off = one_in(g, 2) ? 8 : 16;
		emit(g, class(g) | BPF_MOV | BPF_X, dst, src, off, 0);
	}
	set_scalar(g, dst);
	return true;
}

bool st_wide(struct gen *g)
{
	int dst = pick_dst(g);

	if (dst < 0)
		return false;
	emit(g, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, any_imm(g));
	/* Make the halves equal at times: the JIT compiles that in a different way. */
	emit(g, 0, 0, 0, 0, one_in(g, 4) ? g->p->insn[g->p->n - 1].imm : any_imm(g));
	set_scalar(g, dst);
	return true;
}

bool st_neg(struct gen *g)
{
	int dst = operand(g);

	if (dst < 0)
		return false;
	emit(g, class(g) | BPF_NEG, dst, 0, 0, 0);
	return true;
}

bool st_end(struct gen *g)
{
	int dst = operand(g);

	if (dst < 0)
		return false;
	emit(g, BPF_ALU | BPF_END | BPF_TO_BE, dst, 0, 0, 16 << below(g, 3));
	return true;
}

static uint8_t shift(struct gen *g)
{
	static const uint8_t ops[] = { BPF_LSH, BPF_RSH, BPF_ARSH };

	return ops[below(g, 3)];
}

bool st_shift_imm(struct gen *g)
{
	int dst = operand(g), c = class(g);

	if (dst < 0)
		return false;
	emit(g, c | shift(g) | BPF_K, dst, 0, 0, below(g, c == BPF_ALU ? 32 : 64));
	return true;
}

/*
 * A shift by a register. The JIT compiles 64-bit shifts in three ways, by the range that the
 * verifier has found for the amount. So the range must be the same on all paths that lead here.
 */
bool st_shift_reg(struct gen *g)
{
	int dst = operand(g), c = class(g), n;
	bool guess = !g->s.joined || allowed(g, AVOID_PRUNED);

	if (dst < 0)
		return false;
	n = guess && one_in(g, 2) ? operand(g) : opaque(g, 1);
	if (n < 0)
		return false;
	if (n == dst && one_in(g, 4))
		return false;
	if (allowed(g, AVOID_SHIFT_64) && one_in(g, 2)) {
		emit(g, BPF_ALU64 | BPF_OR | BPF_K, n, 0, 0, 64);
	} else if (allowed(g, AVOID_ASHR_SIGN) && one_in(g, 2)) {
		emit(g, BPF_ALU | BPF_OR | BPF_K, n, 0, 0, INT32_MIN);
		c = BPF_ALU;
	} else if (c == BPF_ALU || one_in(g, 3)) {
		emit(g, BPF_ALU64 | BPF_AND | BPF_K, n, 0, 0, 31);
		if (c == BPF_ALU64 && one_in(g, 2))
			emit(g, BPF_ALU64 | BPF_OR | BPF_K, n, 0, 0, 32);
	} else {
		emit(g, BPF_ALU64 | BPF_AND | BPF_K, n, 0, 0, !guess && one_in(g, 4) ? 255 : 63);
	}
	emit(g, c | shift(g) | BPF_X, dst, n, 0, 0);
	return true;
}

static void low32(struct gen *g, int r)
{
	emit(g, BPF_ALU | BPF_MOV | BPF_X, r, r, 0, 0);
}

/*
 * A multiplication of 32-bit factors. The JIT compiles factors of 16 bits in a different way, so
 * either they are of 16 bits on all paths that lead here, or one of them is on none.
 */
bool st_mul(struct gen *g)
{
	bool guess = !g->s.joined || allowed(g, AVOID_PRUNED);
	bool narrow = one_in(g, 3);
	int dst, src, c = class(g);
	int32_t imm = any_imm(g);

	dst = narrow || (guess && one_in(g, 2)) ? operand(g) : opaque(g, 4);
	if (dst < 0)
		return false;
	if (narrow)
		emit(g, BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0, one_in(g, 2) ? 0xffff : 0xff);
	else
		low32(g, dst);
	src = operand(g);
	if (src < 0 || one_in(g, 2)) {
		if (narrow && !guess)
			imm &= 0xffff;
		if (c == BPF_ALU64 && imm < 0)
			imm = -(imm + 1);
		emit(g, c | BPF_MUL | BPF_K, dst, 0, 0, imm);
		return true;
	}
	if (narrow)
		emit(g, BPF_ALU64 | BPF_AND | BPF_K, src, 0, 0, one_in(g, 2) ? 0xffff : 0xff);
	else if (src != dst)
		low32(g, src);
	emit(g, c | BPF_MUL | BPF_X, dst, src, 0, 0);
	return true;
}

bool st_div(struct gen *g)
{
	/* Divisors for which the JIT shifts before or after, increments, or needs a wide multiplier */
	static const uint32_t divisors[] = {
		2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 25, 28, 60, 64, 100, 125, 255, 256, 641,
		1000, 1282, 4096, 10000, 65535, 65536, 65537, 86400, 1000000, 6700417,
		1000000007, 0x7fffffff,
	};
	int dst = operand(g), n, c = class(g), off = 0;
	uint32_t by = divisors[below(g, sizeof(divisors) / sizeof(divisors[0]))];

	if (dst < 0)
		return false;
	if (one_in(g, 3))
		by = 2 + below(g, INT32_MAX - 2);
	if (allowed(g, AVOID_DIV_ONE) && one_in(g, 3))
		by = 1;
	if (allowed(g, AVOID_DIV_UPPER) && one_in(g, 2)) {
		emit(g, BPF_ALU | BPF_XOR | BPF_K, dst, 0, 0, 1);
		c = BPF_ALU;
	} else {
		low32(g, dst);
	}
	if (allowed(g, AVOID_SDIV) && one_in(g, 2)) {
		off = 1;
		c = BPF_ALU;
	}
	n = operand(g);
	if (n < 0 || n == dst || one_in(g, 2)) {
		emit(g, c | BPF_DIV | BPF_K, dst, 0, off, by);
		return true;
	}
	/* A constant in a register may have bit 31 set. */
	if (!off && one_in(g, 2))
		by |= 1u << 31;
	emit(g, BPF_ALU | BPF_MOV | BPF_K, n, 0, 0, by);
	emit(g, c | BPF_DIV | BPF_X, dst, n, off, 0);
	return true;
}
