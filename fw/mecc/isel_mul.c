// SPDX-License-Identifier: BSD-2-Clause
/*
 * isel_mul.c - choose operations: products of up to 32 bits.
 *
 * A multiplication has fewer steps if its factors are small: 16 by 16 bits, or 24 by 8.
 */
#include "isel.h"

#define DEPTH	6	/* instructions that are looked at */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int length(uint64_t v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

/* Return: how many bits of a number can be set, from bit 0 on. */
static unsigned int bits_of(LLVMValueRef v, unsigned int depth)
{
	unsigned int width = LLVMGetIntTypeWidth(LLVMTypeOf(v)), a, b;
	LLVMValueRef by;

	if (LLVMIsAConstantInt(v))
		return length(LLVMConstIntGetZExtValue(v));
	if (!depth || !LLVMIsAInstruction(v))
		return width;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMZExt:
		return bits_of(LLVMGetOperand(v, 0), depth - 1);
	case LLVMTrunc:
		return least(width, bits_of(LLVMGetOperand(v, 0), depth - 1));
	case LLVMAnd:
		return least(bits_of(LLVMGetOperand(v, 0), depth - 1),
			     bits_of(LLVMGetOperand(v, 1), depth - 1));
	case LLVMOr:
	case LLVMXor:
		a = bits_of(LLVMGetOperand(v, 0), depth - 1);
		b = bits_of(LLVMGetOperand(v, 1), depth - 1);
		return a > b ? a : b;
	case LLVMSelect:
		a = bits_of(LLVMGetOperand(v, 1), depth - 1);
		b = bits_of(LLVMGetOperand(v, 2), depth - 1);
		return a > b ? a : b;
	case LLVMLShr:
		by = LLVMGetOperand(v, 1);
		a = bits_of(LLVMGetOperand(v, 0), depth - 1);
		if (!LLVMIsAConstantInt(by))
			return a;
		b = least(LLVMConstIntGetZExtValue(by), width);
		return a > b ? a - b : 0;
	default:
		return width;
	}
}

/* Multiply two registers or immediates whose numbers have up to @abits and @bbits bits. */
static void multiply(struct sel *s, struct en_opnd d, struct en_opnd a, unsigned int abits,
		     struct en_opnd b, unsigned int bbits)
{
	struct minsn in = { .op = M_MUL, .d = d };

	if (abits <= 8 && bbits > 8) {
		multiply(s, d, b, bbits, a, abits);
		return;
	}
	a = sel_in_reg(s, a);
	if (is_vreg(b) && b.n == a.n) {
		b = sel_reg(s);
		sel_mov(s, b, a);
	}
	in.n = abits <= 24 && bbits <= 8 ? EN_MUL_24X8 : abits <= 16 && bbits <= 16 ? EN_MUL_16X16 :
	       EN_MUL_32X32;
	in.s[0] = a;
	in.s[1] = b;
	sel_add(s, in);
}

void sel_mul(struct sel *s, struct en_opnd d, LLVMValueRef a, LLVMValueRef b)
{
	multiply(s, d, sel_value(s, a).lo, bits_of(a, DEPTH), sel_value(s, b).lo,
		 bits_of(b, DEPTH));
}

void sel_mul_const(struct sel *s, struct en_opnd d, struct en_opnd v, LLVMValueRef of, uint32_t by)
{
	multiply(s, d, v, of ? bits_of(of, DEPTH) : 32, sel_imm(s, by), length(by));
}
