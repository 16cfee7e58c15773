// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Bound the kernels' accesses to arrays of the window. Check a constant index here. For another
 * index, generate a comparison: a load outside of the array gives 0, and a store outside of it does
 * nothing. The verifier requires a comparison with the end of the frame as well.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "di.h"
#include "access.h"
#include "window_bounds.h"

/**
 * struct array - an argument of a kernel, in the window
 * @at: the place
 * @a: the argument
 * @kernel: name of the kernel
 * @base: address of the argument
 * @end: end of the frame
 * @b: builder
 * @size: bytes of the argument
 */
struct array {
	struct place *at;
	const struct param *a;
	const char *kernel;
	LLVMValueRef base, end;
	LLVMBuilderRef b;
	int64_t size;
};

/* Refuse an access of @width bytes at a constant @offset that is outside of the argument. */
static void check(const struct array *w, LLVMValueRef inst, int64_t offset, uint64_t width)
{
	struct where at;

	if (offset >= 0 && offset + (int64_t)width <= w->size)
		return;
	at = where_inst(inst);
	if (!w->a->array)
		refuse(&at, "argument '%s' is one value of %u bytes; the kernel accesses more", w->a->name,
		       w->a->type.size);
	refuse(&at, "element %lld of '%s' is not in the window, which has %u elements (_win_() of '%s')",
	       (long long)(offset < 0 ? offset / (int64_t)w->a->type.size - 1 :
			   (offset + (int64_t)width - 1) / w->a->type.size),
	       w->a->name, w->a->count, w->kernel);
}

/* Build the byte offset of @a in the array. */
static LLVMValueRef offset_of(const struct array *w, const struct address *a)
{
	LLVMTypeRef i32 = LLVMInt32Type();
	LLVMValueRef sum = LLVMConstInt(i32, (uint32_t)a->offset, false), x;
	unsigned int t;

	for (t = 0; t < a->terms; t++) {
		x = a->term[t].value;
		x = LLVMBuildIntCast2(w->b, x, i32, false, "");
		x = LLVMBuildMul(w->b, x, LLVMConstInt(i32, (uint32_t)a->term[t].stride, false), "");
		sum = LLVMBuildAdd(w->b, sum, x, "");
	}
	return sum;
}

/* Replace a load or store with a variable index by a call of ncl_window_load() or _store(). */
static void lower_access(const struct array *w, const struct address *a, LLVMValueRef inst)
{
	bool store = LLVMIsAStoreInst(inst);
	LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(inst, 0)) : LLVMTypeOf(inst), word;
	unsigned int width = LLVMABISizeOfType(LLVMGetModuleDataLayout(w->at->module), type);
	LLVMValueRef arg[5], fn, v;
	char name[32];

	LLVMPositionBuilderBefore(w->b, inst);
	LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(inst));
	snprintf(name, sizeof(name), "ncl_window_%s%u", store ? "store" : "load", width);
	fn = LLVMGetNamedFunction(w->at->module, name);
	if (!fn)
		internal("no function %s", name);
	word = LLVMIntType(8 * width);
	arg[0] = w->base;
	arg[1] = offset_of(w, a);
	arg[2] = LLVMConstInt(LLVMInt32Type(), w->size - width, false);
	arg[3] = w->end;
	if (store) {
		v = LLVMGetOperand(inst, 0);
		arg[4] = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMBuildIntCast2(w->b, v, word, false, "") :
									LLVMBuildBitCast(w->b, v, word, "");
	}
	v = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(fn), fn, arg, store ? 5 : 4, "");
	if (!store) {
		v = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMBuildIntCast2(w->b, v, type, false, "") :
								   LLVMBuildBitCast(w->b, v, type, "");
		LLVMReplaceAllUsesWith(inst, v);
	}
	LLVMInstructionEraseFromParent(inst);
}

/* Walk the uses of address @a, value @p. Returns true if the uses have changed: walk again. */
static bool walk(const struct array *w, LLVMValueRef p, const struct address *a)
{
	LLVMUseRef u;

	for (u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		struct address next = *a;
		bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p;

		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == p) {
			address_add(w->at, &next, user);
			if (walk(w, user, &next))
				return true;
		} else if (LLVMIsALoadInst(user) || store) {
			LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(user, 0)) : LLVMTypeOf(user);

			if (!a->terms) {
				check(w, user, a->offset,
				      LLVMABISizeOfType(LLVMGetModuleDataLayout(w->at->module), type));
				continue;
			}
			lower_access(w, a, user);
			return true;
		} else if (copy_is(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 2))) {
			uint64_t len = LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2));

			if (!a->terms) {
				check(w, user, a->offset, len);
				continue;
			}
			copy_expand(user, a, len);
			return true;
		}
	}
	return false;
}

void window_lower(struct place *at)
{
	unsigned int i, j;

	for (i = 0; i < at->runs; i++) {
		const struct kernel *k = at->run[i].k;
		struct array w = { .at = at, .kernel = k->name, .b = LLVMCreateBuilder() };

		w.end = LLVMGetParam(at->run[i].fn, 1);
		for (j = 0; j < k->args; j++) {
			struct address a = { 0 };

			w.a = &k->arg[j];
			w.size = (int64_t)w.a->type.size * (w.a->array ? w.a->count : 1);
			w.base = LLVMGetParam(at->run[i].fn, 2 + j);
			if (!w.a->array && !w.a->ref)
				continue;
			while (walk(&w, w.base, &a))
				;
		}
		LLVMDisposeBuilder(w.b);
	}
}
