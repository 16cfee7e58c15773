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

static void add(struct program *p, const struct way *w);

static void add_called(struct program *p, const struct way *w, LLVMValueRef call)
{
	LLVMValueRef to = LLVMGetCalledValue(call);

	if (!LLVMIsAFunction(to) || LLVMIsDeclaration(to))
		return;
	if (on(w, to) || LLVMGetLinkage(to) == LLVMExternalLinkage)
		refuse(where_of(call), LLVMGetValueName2(w->fn, &(size_t){ 0 }),
		       "%s() is recursive or an entry, and there is no stack: write a loop",
		       LLVMGetValueName2(to, &(size_t){ 0 }));
	add(p, &(struct way){ w, to });
}

/* Add the function behind those that it calls. */
static void add(struct program *p, const struct way *w)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	if (routine_find(p, w->fn))
		return;
	for (b = LLVMGetFirstBasicBlock(w->fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i))
				add_called(p, w, i);
	p->r = room(p->r, p->n, sizeof(*p->r));
	p->r[p->n++] = (struct routine){ .fn = w->fn, .entry = !w->up };
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

/* Count the entry in each function that it reaches. A caller is behind what it calls. */
static void count_entry(struct program *p, unsigned int entry)
{
	bool *reached = need(p->n, sizeof(*reached));
	unsigned int i, k;

	reached[entry] = true;
	for (i = entry + 1; i-- > 0;) {
		if (!reached[i])
			continue;
		p->r[i].entries++;
		for (k = 0; k < i; k++)
			reached[k] |= routine_calls(&p->r[i], &p->r[k]);
	}
	free(reached);
}

void routine_collect(struct program *p, LLVMModuleRef m)
{
	unsigned int i;

	FOR_FUNCTIONS(f, m)
		if (is_entry(f))
			add(p, &(struct way){ NULL, f });
	entries_last(p);
	for (i = 0; i < p->n; i++) {
		if (p->r[i].entry)
			count_entry(p, i);
		p->entries += p->r[i].entry;
	}
	for (i = 0; i < p->n; i++) {
		p->calls |= !p->r[i].entry;
		p->shared |= routine_shared(&p->r[i]);
	}
}
