// SPDX-License-Identifier: BSD-2-Clause
/*
 * legal.c - replace LLVM's intrinsics by simple operations, and switches by branches.
 *
 * What is left for isel.c: arithmetic without division, compares, select, phi, casts, loads,
 * stores, addresses, branches and return.
 */
#include <string.h>

#include "front.h"

#define COPY_MAX	64	/* loads and stores that a copy becomes */

static LLVMBuilderRef b;

static LLVMValueRef number(LLVMTypeRef t, uint64_t v)
{
	return LLVMConstInt(t, v, false);
}

static const char *function_of(LLVMValueRef inst)
{
	return LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)),
				 &(size_t){ 0 });
}

static LLVMValueRef arg(LLVMValueRef call, unsigned int n)
{
	return LLVMGetOperand(call, n);
}

static LLVMValueRef choose(LLVMIntPredicate p, LLVMValueRef x, LLVMValueRef y)
{
	return LLVMBuildSelect(b, LLVMBuildICmp(b, p, x, y, ""), x, y, "");
}

static LLVMValueRef absolute(LLVMValueRef call)
{
	LLVMValueRef x = arg(call, 0), zero = number(LLVMTypeOf(x), 0);

	return choose(LLVMIntSGT, x, LLVMBuildSub(b, zero, x, ""));
}

/* Shift x:y left (or right) by n, modulo the width: the high (low) word. */
static LLVMValueRef funnel(LLVMValueRef call, bool left)
{
	LLVMValueRef x = arg(call, 0), y = arg(call, 1), n = arg(call, 2), m, one;
	LLVMTypeRef t = LLVMTypeOf(x);
	unsigned int width = LLVMGetIntTypeWidth(t);

	if (width & (width - 1))
		refuse(where_of(call), function_of(call), "rotation of a number of %u bits", width);
	n = LLVMBuildAnd(b, LLVMBuildFreeze(b, n, ""), number(t, width - 1), "");
	m = LLVMBuildXor(b, n, number(t, width - 1), "");
	one = number(t, 1);
	/* A shift by the whole width is not defined, so it is made in two steps. */
	if (left)
		return LLVMBuildOr(b, LLVMBuildShl(b, x, n, ""),
				   LLVMBuildLShr(b, LLVMBuildLShr(b, y, one, ""), m, ""), "");
	return LLVMBuildOr(b, LLVMBuildShl(b, LLVMBuildShl(b, x, one, ""), m, ""),
			   LLVMBuildLShr(b, y, n, ""), "");
}

/* Bits of a mask that are set in turns of @n */
static uint64_t stripes(unsigned int n)
{
	return n == 32 ? UINT32_MAX : ~0ull / ((1ull << n) + 1);
}

/* Swap neighbours of @n bits, then of twice as many, and so on: 8 swaps bytes, 1 bits. */
static LLVMValueRef reverse(LLVMValueRef call, unsigned int n)
{
	LLVMValueRef x = arg(call, 0);
	LLVMTypeRef t = LLVMTypeOf(x);
	unsigned int width = LLVMGetIntTypeWidth(t);

	if (width & (width - 1))
		refuse(where_of(call), function_of(call), "reversal of a number of %u bits", width);
	for (; n < width; n *= 2) {
		LLVMValueRef mask = number(t, stripes(n)), by = number(t, n);
		LLVMValueRef low = LLVMBuildAnd(b, LLVMBuildLShr(b, x, by, ""), mask, "");

		x = LLVMBuildOr(b, LLVMBuildShl(b, LLVMBuildAnd(b, x, mask, ""), by, ""), low, "");
	}
	return x;
}

/* The number of bits that are set */
static LLVMValueRef count_bits(LLVMValueRef x)
{
	LLVMTypeRef t = LLVMTypeOf(x);
	unsigned int width = LLVMGetIntTypeWidth(t);

	for (unsigned int n = 1; n < width; n *= 2) {
		LLVMValueRef high = LLVMBuildLShr(b, x, number(t, n), "");
		uint64_t mask = stripes(n);

		x = LLVMBuildAdd(b, LLVMBuildAnd(b, x, number(t, mask), ""),
				 LLVMBuildAnd(b, high, number(t, mask), ""), "");
	}
	return x;
}

static LLVMValueRef leading_zeros(LLVMValueRef x)
{
	LLVMTypeRef t = LLVMTypeOf(x);

	for (unsigned int n = 1; n < LLVMGetIntTypeWidth(t); n *= 2)
		x = LLVMBuildOr(b, x, LLVMBuildLShr(b, x, number(t, n), ""), "");
	return count_bits(LLVMBuildNot(b, x, ""));
}

static LLVMValueRef trailing_zeros(LLVMValueRef x)
{
	LLVMValueRef below = LLVMBuildSub(b, x, number(LLVMTypeOf(x), 1), "");

	return count_bits(LLVMBuildAnd(b, LLVMBuildNot(b, x, ""), below, ""));
}

static LLVMValueRef saturate(LLVMValueRef call, bool add)
{
	LLVMValueRef x = arg(call, 0), y = arg(call, 1), sum;
	LLVMTypeRef t = LLVMTypeOf(x);

	if (!add)
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), number(t, 0),
				       LLVMBuildSub(b, x, y, ""), "");
	sum = LLVMBuildAdd(b, x, y, "");
	return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, sum, x, ""), LLVMConstAllOnes(t),
			       sum, "");
}

static LLVMValueRef offset(LLVMValueRef p, uint64_t n)
{
	LLVMValueRef index = number(LLVMInt32Type(), n);

	return LLVMBuildGEP2(b, LLVMInt8Type(), p, &index, 1, "");
}

unsigned int copy_alignment(LLVMValueRef call, unsigned int n)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, n + 1,
		LLVMGetEnumAttributeKindForName("align", 5));

	return a ? LLVMGetEnumAttributeValue(a) : 1;
}

static void copy_part(LLVMValueRef call, uint64_t at, unsigned int size, bool fill)
{
	LLVMTypeRef t = LLVMIntType(8 * size);
	LLVMValueRef v;

	if (fill) {
		v = LLVMBuildZExt(b, arg(call, 1), t, "");
		v = LLVMBuildMul(b, v, number(t, 0x01010101), "");
	} else {
		v = LLVMBuildLoad2(b, t, offset(arg(call, 1), at), "");
		LLVMSetAlignment(v, size);
	}
	LLVMSetAlignment(LLVMBuildStore(b, v, offset(arg(call, 0), at)), size);
}

static bool in_emem(LLVMValueRef p)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SPACE_EMEM;
}

/*
 * Copy or fill memory. Whole words of EMEM are left to isel_emem.c: the call stays, with their
 * length.
 * Return: true if the call has to be removed.
 */
static bool copy(LLVMValueRef call, bool fill)
{
	bool emem = in_emem(arg(call, 0)) || (!fill && in_emem(arg(call, 1)));
	unsigned int size = copy_alignment(call, 0), parts = 0;
	uint64_t n, whole, at, step;
	LLVMValueRef len = arg(call, 2);

	if (!LLVMIsAConstantInt(len))
		refuse(where_of(call), function_of(call),
		       "copy of a number of bytes that is no constant: write a loop");
	n = LLVMConstIntGetZExtValue(len);
	if (!fill && copy_alignment(call, 1) < size)
		size = copy_alignment(call, 1);
	if (size > 4)
		size = 4;
	whole = emem && size == 4 && n <= 4 * COPY_MAX ? n & -4ull : 0;
	for (at = whole; at < n; at += step, parts++) {
		for (step = size; step > n - at; step /= 2)
			;
		if (parts == COPY_MAX)
			refuse(where_of(call), function_of(call),
			       "copy of %llu bytes, which takes more than %u loads and stores: write a loop",
			       (unsigned long long)n, COPY_MAX);
		copy_part(call, at, step, fill);
	}
	LLVMSetOperand(call, 2, number(LLVMTypeOf(len), whole));
	return !whole;
}

static bool ignored(const char *name)
{
	static const char *const list[] = {
		"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias.",
	};

	for (unsigned int i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

/* Return: the value of a call of intrinsic @name, or NULL if it has none. */
static LLVMValueRef intrinsic(LLVMValueRef call, const char *name)
{
#define IS(s) (!strncmp(name, "llvm." s ".", sizeof(s) + 5))
	if (ignored(name))
		return NULL;
	if (IS("umin") || IS("umax"))
		return choose(IS("umin") ? LLVMIntULT : LLVMIntUGT, arg(call, 0), arg(call, 1));
	if (IS("smin") || IS("smax"))
		return choose(IS("smin") ? LLVMIntSLT : LLVMIntSGT, arg(call, 0), arg(call, 1));
	if (IS("abs"))
		return absolute(call);
	if (IS("fshl") || IS("fshr"))
		return funnel(call, IS("fshl"));
	if (IS("bswap") || IS("bitreverse"))
		return reverse(call, IS("bswap") ? 8 : 1);
	if (IS("ctpop"))
		return count_bits(arg(call, 0));
	if (IS("ctlz"))
		return leading_zeros(arg(call, 0));
	if (IS("cttz"))
		return trailing_zeros(arg(call, 0));
	if (IS("uadd.sat") || IS("usub.sat"))
		return saturate(call, IS("uadd.sat"));
	refuse(where_of(call), function_of(call), "%s is not supported", name);
#undef IS
}

/* Return: true if @inst was replaced, and has to be removed. */
static bool legal(LLVMValueRef inst)
{
	LLVMValueRef v;
	const char *name;

	LLVMPositionBuilderBefore(b, inst);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(inst));
	if (!LLVMIsACallInst(inst))
		return legal_division(b, inst);
	name = LLVMGetValueName2(LLVMGetCalledValue(inst), &(size_t){ 0 });
	if (call_is_known(name) || !LLVMIsDeclaration(LLVMGetCalledValue(inst)))
		return false;
	if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memset.", 12))
		return copy(inst, name[8] == 's');
	v = intrinsic(inst, name);
	if (v)
		LLVMReplaceAllUsesWith(inst, v);
	return true;
}

static void legal_block(LLVMBasicBlockRef block)
{
	LLVMValueRef inst, next;

	for (inst = LLVMGetFirstInstruction(block); inst; inst = next) {
		next = LLVMGetNextInstruction(inst);
		if (legal(inst))
			LLVMInstructionEraseFromParent(inst);
	}
}

void legalise(LLVMModuleRef m)
{
	b = LLVMCreateBuilder();
	FOR_FUNCTIONS(f, m)
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
		     block = LLVMGetNextBasicBlock(block))
			legal_block(block);
	LLVMDisposeBuilder(b);
	run_passes(m, "function(lower-switch,early-cse,dce)");
}
