// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Arithmetic that BPF or the card lacks, by what it has: signed division, remainders of
 * constants, products of 64 bits. LLVM would recognise most of it and put it back; a value
 * that goes through an empty assembler instruction is one of which it knows nothing.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "nclc.h"

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

/* As C has it: towards 0, and the remainder has the sign of @x. */
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

static bool is_half(LLVMValueRef v)
{
	if (LLVMIsAConstantInt(v))
		return LLVMConstIntGetZExtValue(v) <= UINT32_MAX;
	return LLVMIsAZExtInst(v) && width(LLVMGetOperand(v, 0)) <= 32;
}

/* The card multiplies 32 bits by 32 bits. */
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

#define TERMS	4	/* of a product, at most */

/*
 * The driver's JIT may take a product for one of 16 bits (pruned in selftests/xdp/KNOWN.rst):
 * as shifts, added and subtracted, if these are few. Else the operands are moved, so that
 * their upper halves are seen to be 0. NULL: it is a shift anyway.
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

/* A quotient of 32 bits: the driver's JIT leaves the upper half of its register as it was. */
static LLVMValueRef divided(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef t = LLVMTypeOf(x), word = LLVMInt32Type();

	if (width(x) == 32)
		return quotient(b, opaque(b, x), y);
	x = opaque(b, LLVMBuildZExt(b, x, word, ""));
	return LLVMBuildTrunc(b, quotient(b, x, LLVMBuildZExt(b, y, word, "")), t, "");
}

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

/* Bits that are set, without the product by which LLVM counts them */
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

/* llvm.ctpop, ctlz and cttz of 32 and 64 bits */
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

/* Moving is all that can be done with one. */
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
