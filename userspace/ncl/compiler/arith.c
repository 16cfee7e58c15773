// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Replace arithmetic that BPF or the card lacks: signed division, remainders, 64-bit products, bit
 * counts. LLVM's optimiser would recognise most replacements and restore the original instruction.
 * opaque() passes a value through inline assembly, so LLVM knows nothing about the value.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "nclc.h"
#include "di.h"
#include "arith.h"

static unsigned int width(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
}

static LLVMValueRef zero(LLVMValueRef like)
{
	return LLVMConstNull(LLVMTypeOf(like));
}

static LLVMValueRef opaque(LLVMBuilderRef b, LLVMValueRef v)
{
	bool half = width(v) == 32;
	const char *code = half ? "$0 = $1" : "", *regs = half ? "=w,w" : "=r,0";
	LLVMTypeRef t = LLVMTypeOf(v), fn = LLVMFunctionType(t, &t, 1, false);

	return LLVMBuildCall2(b, fn, LLVMGetInlineAsm(fn, code, strlen(code), regs, 4, false, false,
						      LLVMInlineAsmDialectATT, false), &v, 1, "");
}

static LLVMValueRef magnitude(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef *negative)
{
	*negative = LLVMBuildICmp(b, LLVMIntSLT, v, zero(v), "");
	return LLVMBuildSelect(b, *negative, LLVMBuildNeg(b, v, ""), v, "");
}

static LLVMValueRef quotient(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	return opaque(b, LLVMBuildUDiv(b, x, y, ""));
}

/*
 * Divide as C does: round the quotient towards 0. With @rest, build the remainder, which has the
 * sign of @x.
 */
static LLVMValueRef signed_division(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, bool rest)
{
	LLVMValueRef nx, ny, q, r;
	LLVMValueRef ux = opaque(b, magnitude(b, x, &nx)), uy = magnitude(b, y, &ny);

	q = quotient(b, ux, uy);
	if (!rest) {
		r = LLVMBuildXor(b, nx, ny, "");
		return LLVMBuildSelect(b, r, LLVMBuildNeg(b, q, ""), q, "");
	}
	r = LLVMBuildSub(b, ux, LLVMBuildMul(b, q, uy, ""), "");
	return LLVMBuildSelect(b, nx, LLVMBuildNeg(b, r, ""), r, "");
}

/* Is the upper half of a 64-bit value known to be 0? */
static bool is_half(LLVMValueRef v)
{
	if (LLVMIsAConstantInt(v))
		return LLVMConstIntGetZExtValue(v) <= UINT32_MAX;
	return LLVMIsAZExtInst(v) && width(LLVMGetOperand(v, 0)) <= 32;
}

/* Build a 64-bit product from products of 32-bit halves: the card multiplies 32 bits by 32. */
static LLVMValueRef product(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef i32 = LLVMInt32Type(), i64 = LLVMInt64Type();
	LLVMValueRef by = LLVMConstInt(i64, 32, false);
	LLVMValueRef xl = opaque(b, LLVMBuildTrunc(b, x, i32, "")), yl = opaque(b, LLVMBuildTrunc(b, y, i32, ""));
	LLVMValueRef high = NULL, low, h;

	low = LLVMBuildMul(b, LLVMBuildZExt(b, xl, i64, ""), LLVMBuildZExt(b, yl, i64, ""), "");
	if (!is_half(x)) {
		h = opaque(b, LLVMBuildTrunc(b, LLVMBuildLShr(b, x, by, ""), i32, ""));
		high = LLVMBuildMul(b, h, yl, "");
	}
	if (!is_half(y)) {
		h = opaque(b, LLVMBuildTrunc(b, LLVMBuildLShr(b, y, by, ""), i32, ""));
		h = LLVMBuildMul(b, h, xl, "");
		high = high ? LLVMBuildAdd(b, high, h, "") : h;
	}
	return LLVMBuildAdd(b, low, LLVMBuildShl(b, LLVMBuildZExt(b, high, i64, ""), by, ""), "");
}

#define TERMS	4	/* most shifts that replace a product */

/*
 * The driver's JIT can wrongly choose a 16-bit multiplication for a 32-bit product ("pruned" in
 * selftests/xdp/KNOWN.rst). Build a product by a constant from at most TERMS shifts, added or
 * subtracted. Otherwise pass the operands through opaque(), a 32-bit move, after which the JIT knows
 * only that their upper halves are 0. NULL: @y is a power of two, so LLVM builds a shift.
 */
static LLVMValueRef shifted(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	uint64_t c = LLVMIsAConstantInt(y) ? LLVMConstIntGetZExtValue(y) : 0;
	LLVMValueRef sum = zero(x);
	unsigned int s, terms = 0;

	if (!LLVMIsAConstantInt(y))
		return LLVMBuildMul(b, opaque(b, x), opaque(b, y), "");
	if (!(c & (c - 1)))
		return NULL;
	for (s = 0; c && s < 32; s++, c >>= 1) {
		bool minus = (c & 3) == 3;
		LLVMValueRef t;

		if (!(c & 1))
			continue;
		c += minus ? 1 : -1;
		if (++terms > TERMS)
			return LLVMBuildMul(b, opaque(b, x), y, "");
		t = opaque(b, LLVMBuildShl(b, x, LLVMConstInt(LLVMTypeOf(x), s, false), ""));
		sum = minus ? LLVMBuildSub(b, sum, t, "") : LLVMBuildAdd(b, sum, t, "");
	}
	return sum;
}

/*
 * Build a quotient of at most 32 bits. The driver's JIT does not clear the upper half of the
 * register ("div_upper" in selftests/xdp/KNOWN.rst); the 32-bit move of opaque() does.
 */
static LLVMValueRef divided(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef t = LLVMTypeOf(x), word = LLVMInt32Type();

	if (width(x) == 32)
		return quotient(b, opaque(b, x), y);
	x = opaque(b, LLVMBuildZExt(b, x, word, ""));
	return LLVMBuildTrunc(b, quotient(b, x, LLVMBuildZExt(b, y, word, "")), t, "");
}

/* Build the replacement of a binary operation; NULL: keep the operation. */
static LLVMValueRef instead(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1), r;
	LLVMTypeRef t = LLVMTypeOf(i), word = LLVMInt32Type();
	unsigned int op = LLVMGetInstructionOpcode(i);
	bool grow = width(i) < 32, is_signed = op == LLVMSDiv || op == LLVMSRem;

	if (op == LLVMMul && width(i) == 32 && options.card)
		return shifted(b, x, y);
	if (op == LLVMUDiv && width(i) <= 32 && LLVMIsAConstantInt(y) && options.card)
		return divided(b, x, y);
	if (op == LLVMMul)
		return width(i) == 64 && !(is_half(x) && is_half(y)) ? product(b, x, y) : NULL;
	if (op != LLVMSDiv && op != LLVMSRem && op != LLVMURem)
		return NULL;
	if (op == LLVMURem && !LLVMIsAConstantInt(y) && !options.card)
		return NULL;
	if (grow) {
		x = is_signed ? LLVMBuildSExt(b, x, word, "") : LLVMBuildZExt(b, x, word, "");
		y = is_signed ? LLVMBuildSExt(b, y, word, "") : LLVMBuildZExt(b, y, word, "");
	}
	if (is_signed) {
		r = signed_division(b, x, y, op == LLVMSRem);
	} else {
		x = opaque(b, x);
		r = LLVMBuildSub(b, x, LLVMBuildMul(b, quotient(b, x, y), y, ""), "");
	}
	return grow ? LLVMBuildTrunc(b, r, t, "") : r;
}

/* Count the bits that are set. LLVM's own expansion would use a 64-bit product. */
static LLVMValueRef count_ones(LLVMBuilderRef b, LLVMValueRef x)
{
	static const uint64_t masks[] = { 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
					  0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff };
	LLVMTypeRef t = LLVMTypeOf(x);
	unsigned int i;

	for (i = 0; 1u << i < width(x); i++) {
		LLVMValueRef mask = LLVMConstInt(t, masks[i], false);
		LLVMValueRef high = LLVMBuildLShr(b, x, LLVMConstInt(t, 1u << i, false), "");

		x = LLVMBuildAdd(b, LLVMBuildAnd(b, opaque(b, x), mask, ""), LLVMBuildAnd(b, high, mask, ""), "");
	}
	return x;
}

/* Build the replacement of llvm.ctpop, ctlz or cttz of 32 or 64 bits; NULL: @i is another call. */
static LLVMValueRef count_bits(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef fn = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL, x;
	const char *name = fn && LLVMIsAFunction(fn) ? LLVMGetValueName(fn) : "";
	unsigned int n;

	if (strncmp(name, "llvm.ct", 7) || width(i) < 32)
		return NULL;
	x = LLVMGetOperand(i, 0);
	if (!strncmp(name, "llvm.ctpop", 10))
		return count_ones(b, x);
	if (!strncmp(name, "llvm.cttz", 9))
		return count_ones(b, LLVMBuildAnd(b, LLVMBuildNot(b, x, ""),
						  LLVMBuildSub(b, x, LLVMConstInt(LLVMTypeOf(x), 1, false), ""), ""));
	for (n = 1; n < width(i); n *= 2)
		x = LLVMBuildOr(b, x, LLVMBuildLShr(b, x, LLVMConstInt(LLVMTypeOf(x), n, false), ""), "");
	return count_ones(b, LLVMBuildNot(b, x, ""));
}

static bool is_float(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMFloatTypeKind || LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
}

/* A kernel can move floating-point values, but not compute with them: refuse @i if it does. */
static void check_float(LLVMValueRef i)
{
	struct where at;
	bool bad = false;
	int n;

	if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAPHINode(i) || LLVMIsASelectInst(i))
		return;
	for (n = 0; n < LLVMGetNumOperands(i); n++)
		bad |= is_float(LLVMTypeOf(LLVMGetOperand(i, n)));
	if (!bad && !is_float(LLVMTypeOf(i)))
		return;
	at = where_inst(i);
	refuse(&at, "a kernel computes with floating point, which devices lack; send integers, scaled by the hosts");
}

void arith(LLVMValueRef fn)
{
	LLVMBuilderRef b = LLVMCreateBuilder();
	LLVMBasicBlockRef block;
	LLVMValueRef i, next, by;

	for (block = LLVMGetFirstBasicBlock(fn); block; block = LLVMGetNextBasicBlock(block))
		for (i = LLVMGetFirstInstruction(block); i; i = next) {
			next = LLVMGetNextInstruction(i);
			check_float(i);
			LLVMPositionBuilderBefore(b, i);
			LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
			by = LLVMIsABinaryOperator(i) ? instead(b, i) : count_bits(b, i);
			if (!by)
				continue;
			LLVMReplaceAllUsesWith(i, by);
			LLVMInstructionEraseFromParent(i);
		}
	LLVMDisposeBuilder(b);
}
