// SPDX-License-Identifier: BSD-2-Clause
/*
 * legal_loop.c - divisions that are no multiplications: calls of functions with a loop, a round for each
 * bit. A program gets those of these functions that it calls.
 *
 *	rest = rest << 1 | top bit of x; x <<= 1;
 *	if (rest >= d) { rest -= d; x |= 1; }
 *
 * At the end x is the quotient.
 */
#include "front.h"

static LLVMValueRef number(LLVMTypeRef t, uint64_t v)
{
	return LLVMConstInt(t, v, false);
}

static LLVMValueRef phi(LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef first, LLVMBasicBlockRef from)
{
	LLVMValueRef v = LLVMBuildPhi(b, t, "");

	LLVMAddIncoming(v, &first, &from, 1);
	return v;
}

/* One round. rest << 1 may have a bit more than the width: then it is larger than d. */
static void round_of(LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef d, LLVMValueRef *x, LLVMValueRef *rest)
{
	LLVMValueRef top = number(t, LLVMGetIntTypeWidth(t) - 1), one = number(t, 1), more, r, fits;

	r = LLVMBuildOr(b, LLVMBuildShl(b, *rest, one, ""), LLVMBuildLShr(b, *x, top, ""), "");
	more = LLVMBuildICmp(b, LLVMIntSLT, *rest, number(t, 0), "");
	fits = LLVMBuildOr(b, more, LLVMBuildICmp(b, LLVMIntUGE, r, d, ""), "");
	*rest = LLVMBuildSelect(b, fits, LLVMBuildSub(b, r, d, ""), r, "");
	*x = LLVMBuildOr(b, LLVMBuildShl(b, *x, one, ""), LLVMBuildZExt(b, fits, t, ""), "");
}

static void add_loop(LLVMValueRef f, LLVMTypeRef t, bool rest)
{
	LLVMBasicBlockRef start = LLVMAppendBasicBlock(f, "start"), loop = LLVMAppendBasicBlock(f, "loop");
	LLVMBasicBlockRef end = LLVMAppendBasicBlock(f, "end");
	LLVMBuilderRef b = LLVMCreateBuilder();
	LLVMTypeRef i32 = LLVMInt32Type();
	LLVMValueRef x, r, n, x2, r2, n2;

	LLVMPositionBuilderAtEnd(b, start);
	LLVMBuildBr(b, loop);
	LLVMPositionBuilderAtEnd(b, loop);
	x2 = x = phi(b, t, LLVMGetParam(f, 0), start);
	r2 = r = phi(b, t, number(t, 0), start);
	n = phi(b, i32, number(i32, LLVMGetIntTypeWidth(t)), start);
	round_of(b, t, LLVMGetParam(f, 1), &x2, &r2);
	n2 = LLVMBuildSub(b, n, number(i32, 1), "");
	LLVMAddIncoming(x, &x2, &loop, 1);
	LLVMAddIncoming(r, &r2, &loop, 1);
	LLVMAddIncoming(n, &n2, &loop, 1);
	LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, n2, number(i32, 0), ""), loop, end);
	LLVMPositionBuilderAtEnd(b, end);
	LLVMBuildRet(b, rest ? r2 : x2);
	LLVMDisposeBuilder(b);
}

LLVMValueRef legal_divide_loop(LLVMBuilderRef b, LLVMValueRef inst, LLVMValueRef x, LLVMValueRef d, bool rest)
{
	LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
	LLVMTypeRef t = LLVMTypeOf(x), two[] = { t, t }, type = LLVMFunctionType(t, two, 2, false);
	const char *name = text("mecc.%s.%u", rest ? "rest" : "divide", LLVMGetIntTypeWidth(t));
	LLVMValueRef f = LLVMGetNamedFunction(m, name), args[] = { x, d };

	if (!f) {
		f = LLVMAddFunction(m, name, type);
		LLVMSetLinkage(f, LLVMInternalLinkage);
		add_loop(f, t, rest);
	}
	return LLVMBuildCall2(b, type, f, args, 2, "");
}
