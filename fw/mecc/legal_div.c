// SPDX-License-Identifier: BSD-2-Clause
/*
 * legal_div.c - divisions by constants, as multiplications; others are calls (legal_loop.c).
 *
 * x / d = x * m >> (32 + s), where m is 2^(32 + s) / d rounded up and s the smallest number that
 * makes this exact for all x of 32 bits. m may have 33 bits; then the sum with x gives the missing
 * bit.
 */
#include "front.h"

static LLVMValueRef number(LLVMTypeRef t, uint64_t v)
{
	return LLVMConstInt(t, v, false);
}

static LLVMValueRef high_word(LLVMBuilderRef b, LLVMValueRef x, uint32_t m)
{
	LLVMTypeRef i32 = LLVMInt32Type(), i64 = LLVMInt64Type();
	LLVMValueRef p = LLVMBuildMul(b, LLVMBuildZExt(b, x, i64, ""), number(i64, m), "");

	return LLVMBuildTrunc(b, LLVMBuildLShr(b, p, number(i64, 32), ""), i32, "");
}

static LLVMValueRef shift(LLVMBuilderRef b, LLVMValueRef x, unsigned int n)
{
	return n ? LLVMBuildLShr(b, x, number(LLVMTypeOf(x), n), "") : x;
}

/* x / d without sign, 32 bits */
static LLVMValueRef udiv(LLVMBuilderRef b, LLVMValueRef x, uint32_t d)
{
	unsigned int s = 0;
	LLVMValueRef q;
	uint64_t m;

	while (s < 32 && (1ull << s) < d)
		s++;
	if ((1ull << s) == d)
		return shift(b, x, s);
	/* 2^(s - 1) < d < 2^s: m is below 2^33, and m - 2^32 has 32 bits */
	m = (((1ull << s) - d) << 32) / d + 1;
	q = high_word(b, x, m);
	/* (x + q) >> s, whose sum may have 33 bits */
	x = LLVMBuildAdd(b, q, shift(b, LLVMBuildSub(b, x, q, ""), 1), "");
	return shift(b, x, s - 1);
}

static LLVMValueRef absolute(LLVMBuilderRef b, LLVMValueRef x)
{
	LLVMValueRef zero = number(LLVMTypeOf(x), 0);

	return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT, x, zero, ""),
			       LLVMBuildSub(b, zero, x, ""), x, "");
}

static LLVMValueRef sdiv(LLVMBuilderRef b, LLVMValueRef x, int32_t d)
{
	LLVMValueRef zero = number(LLVMTypeOf(x), 0), q;
	bool negative = d < 0;

	q = udiv(b, absolute(b, x), negative ? -(uint32_t)d : (uint32_t)d);
	return LLVMBuildSelect(b, LLVMBuildICmp(b, negative ? LLVMIntSGT : LLVMIntSLT, x, zero, ""),
			       LLVMBuildSub(b, zero, q, ""), q, "");
}

/* x / 2^n with sign, any width: a negative x is rounded up by 2^n - 1. */
static LLVMValueRef sdiv_power(LLVMBuilderRef b, LLVMValueRef x, unsigned int n)
{
	LLVMTypeRef t = LLVMTypeOf(x);
	unsigned int width = LLVMGetIntTypeWidth(t);
	LLVMValueRef sign = LLVMBuildAShr(b, x, number(t, width - 1), "");

	if (!n)
		return x;
	x = LLVMBuildAdd(b, x, LLVMBuildLShr(b, sign, number(t, width - n), ""), "");
	return LLVMBuildAShr(b, x, number(t, n), "");
}

/* Is @d a power of two that a number with sign can be? */
static bool is_power(uint64_t d, unsigned int width)
{
	d &= ~0ull >> (64 - width);
	return d && !(d & (d - 1)) && d != 1ull << (width - 1);
}

/* Return: the quotient, or NULL if it is no multiplication. */
static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef by, bool sign)
{
	LLVMTypeRef t = LLVMTypeOf(x), i32 = LLVMInt32Type();
	unsigned int width = LLVMGetIntTypeWidth(t);
	uint64_t d;

	if (!LLVMIsAConstantInt(by) || !LLVMConstIntGetZExtValue(by))
		return NULL;
	d = LLVMConstIntGetZExtValue(by);
	if (!sign && !(d & (d - 1)))
		return shift(b, x, __builtin_ctzll(d));
	if (sign && is_power(d, width))
		return sdiv_power(b, x, __builtin_ctzll(d));
	if (sign && is_power(-d, width))
		return LLVMBuildNeg(b, sdiv_power(b, x, __builtin_ctzll(d)), "");
	if (width > 32)
		return NULL;
	if (sign) {
		int32_t s = LLVMConstIntGetSExtValue(by);

		return LLVMBuildTrunc(b, sdiv(b, width < 32 ? LLVMBuildSExt(b, x, i32, "") : x, s),
				      t, "");
	}
	return LLVMBuildTrunc(b, udiv(b, width < 32 ? LLVMBuildZExt(b, x, i32, "") : x, d), t, "");
}

static LLVMValueRef negate_if(LLVMBuilderRef b, LLVMValueRef negative, LLVMValueRef v)
{
	return LLVMBuildSelect(b, negative, LLVMBuildNeg(b, v, ""), v, "");
}

/* The rest has the sign of the dividend. */
static LLVMValueRef by_loop(LLVMBuilderRef b, LLVMValueRef inst, LLVMValueRef x, LLVMValueRef d, bool sign,
			    bool rest)
{
	LLVMTypeRef t = LLVMTypeOf(x), wide;
	LLVMValueRef minus, zero, v;

	wide = LLVMGetIntTypeWidth(t) > 32 ? LLVMInt64Type() : LLVMInt32Type();
	zero = number(wide, 0);
	if (t != wide) {
		x = sign ? LLVMBuildSExt(b, x, wide, "") : LLVMBuildZExt(b, x, wide, "");
		d = sign ? LLVMBuildSExt(b, d, wide, "") : LLVMBuildZExt(b, d, wide, "");
	}
	if (!sign)
		return LLVMBuildTrunc(b, legal_divide_loop(b, inst, x, d, rest), t, "");
	minus = LLVMBuildICmp(b, LLVMIntSLT, rest ? x : LLVMBuildXor(b, x, d, ""), zero, "");
	v = legal_divide_loop(b, inst, absolute(b, x), absolute(b, d), rest);
	return LLVMBuildTrunc(b, negate_if(b, minus, v), t, "");
}

bool legal_division(LLVMBuilderRef b, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	bool sign = op == LLVMSDiv || op == LLVMSRem, rest = op == LLVMURem || op == LLVMSRem;
	LLVMValueRef x, d, q;

	if (op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem)
		return false;
	x = LLVMGetOperand(inst, 0);
	d = LLVMGetOperand(inst, 1);
	/* The parts use x several times: undefined values must be one value. */
	x = LLVMBuildFreeze(b, x, "");
	q = divide(b, x, d, sign);
	if (!q)
		q = by_loop(b, inst, x, LLVMBuildFreeze(b, d, ""), sign, rest);
	else if (rest)
		q = LLVMBuildSub(b, x, LLVMBuildMul(b, q, d, ""), "");
	LLVMReplaceAllUsesWith(inst, q);
	return true;
}
