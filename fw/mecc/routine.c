// SPDX-License-Identifier: BSD-2-Clause
/* routine.c - the functions of a program in the order in which they are compiled. See routine.h. */
#include <stdlib.h>

#include "front.h"
#include "routine.h"

static unsigned int words_of(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMVoidTypeKind:
		return 0;
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(t) > 64 ? CALL_WORDS + 1 : LLVMGetIntTypeWidth(t) > 32 ? 2 : 1;
	case LLVMPointerTypeKind:
		return LLVMGetPointerAddressSpace(t) == SPACE_XREAD ? CALL_WORDS + 1 : 1;
	default:
		return CALL_WORDS + 1;
	}
}

bool routine_callable(LLVMValueRef fn)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(fn);
	unsigned int words = 0, n = LLVMCountParams(fn), i;

	for (i = 0; i < n; i++)
		words += words_of(LLVMTypeOf(LLVMGetParam(fn, i)));
	return words <= CALL_WORDS && words_of(LLVMGetReturnType(type)) <= 2 &&
	       !LLVMIsFunctionVarArg(type);
}

struct routine *routine_find(struct program *p, LLVMValueRef fn)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->r[i].fn == fn)
			return &p->r[i];
	return NULL;
}

/* A walk through the calls: the functions on the way from an entry to here */
struct way {
	const struct way *up;
	LLVMValueRef fn;
};

static bool on(const struct way *w, LLVMValueRef fn)
{
	while (w && w->fn != fn)
		w = w->up;
	return w;
}

static void visit(struct program *p, const struct way *w, bool *seen, bool add);

static void visit_call(struct program *p, const struct way *w, LLVMValueRef call, bool *seen, bool add)
{
	LLVMValueRef to = LLVMGetCalledValue(call);
	struct way next = { w, to };

	if (!LLVMIsAFunction(to) || LLVMIsDeclaration(to))
		return;
	if (on(w, to) || LLVMGetLinkage(to) == LLVMExternalLinkage)
		refuse(where_of(call), LLVMGetValueName2(w->fn, &(size_t){ 0 }),
		       "%s() is recursive or an entry, and there is no stack: write a loop",
		       LLVMGetValueName2(to, &(size_t){ 0 }));
	visit(p, &next, seen, add);
}

static void visit_calls(struct program *p, const struct way *w, bool *seen, bool add)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(w->fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i))
				visit_call(p, w, i, seen, add);
}

/* Add the function behind those that it calls, or count the entry that has led here, once. */
static void visit(struct program *p, const struct way *w, bool *seen, bool add)
{
	struct routine *r = routine_find(p, w->fn);

	if (add) {
		if (r)
			return;
		visit_calls(p, w, seen, add);
		p->r = room(p->r, p->n, sizeof(*p->r));
		p->r[p->n++] = (struct routine){ .fn = w->fn, .entry = !w->up };
		return;
	}
	if (seen[r - p->r])
		return;
	seen[r - p->r] = true;
	r->entries++;
	visit_calls(p, w, seen, add);
}

bool routine_calls(const struct routine *r, const struct routine *to)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(r->fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == to->fn)
				return true;
	return false;
}

static bool is_entry(LLVMValueRef f)
{
	return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage;
}

static void entries_last(struct program *p)
{
	struct routine *r = need(p->n, sizeof(*r));
	unsigned int n = 0, i, pass;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < p->n; i++)
			if (p->r[i].entry == pass)
				r[n++] = p->r[i];
	free(p->r);
	p->r = r;
}

void routine_collect(struct program *p, LLVMModuleRef m)
{
	unsigned int i, k;

	FOR_FUNCTIONS(f, m)
		if (is_entry(f))
			visit(p, &(struct way){ NULL, f }, NULL, true);
	entries_last(p);
	for (i = 0; i < p->n; i++) {
		bool *seen = need(p->n, sizeof(*seen));

		if (p->r[i].entry)
			visit(p, &(struct way){ NULL, p->r[i].fn }, seen, false);
		p->entries += p->r[i].entry;
		free(seen);
	}
	for (k = 0; k < p->n; k++) {
		p->calls |= !p->r[k].entry;
		p->shared |= routine_shared(&p->r[k]);
	}
}
