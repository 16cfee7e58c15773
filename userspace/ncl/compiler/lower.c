// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Replace loads and stores of variables by accesses of BPF maps. Within a basic block, a copy of a
 * map's value is kept on the stack from the first access to the last. The value is read from the map
 * before the first access, unless the kernel overwrites all of it before it reads. The copy is
 * written to the map after the last access, if the kernel has stored to it.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "di.h"
#include "shell.h"
#include "lock.h"
#include "window_bounds.h"
#include "emit.h"
#include "lower.h"

/**
 * struct kept - a map's value that is kept on the stack
 * @first: first access
 * @last: last access
 * @number: constant part of the value's key
 * @written: bit n is set if byte n was stored
 * @load: read the value from the map before @first
 * @dirty: write the value to the map after @last
 * @open: a later access may use this copy
 * @narrow: an access has less than 4 bytes
 * @key: key, on the stack
 * @bytes: the copy, on the stack; if kernels only add: the map's value itself
 */
struct kept {
	const struct access *first, *last;
	int64_t number;
	uint64_t written;
	bool load, dirty, open, narrow;
	LLVMValueRef key, bytes;
};

/**
 * struct lowering - state while a kernel is lowered
 * @at: the place
 * @r: the kernel
 * @kept: values that are kept
 * @n: number of @kept
 * @of: for each access of the kernel: index in @kept
 * @b: builder
 */
struct lowering {
	struct place *at;
	struct run *r;
	struct kept *kept;
	unsigned int n;
	unsigned int *of;
	LLVMBuilderRef b;
};

static int64_t floor_div(int64_t a, int64_t b)
{
	return (a - ((a % b + b) % b)) / b;
}

/* Offset of an access in its unit */
static unsigned int within(const struct access *a)
{
	int64_t u = a->of->unit;

	return (a->offset % u + u) % u;
}

static bool same_terms(const struct access *a, const struct access *b)
{
	return a->terms == b->terms && !memcmp(a->term, b->term, a->terms * sizeof(*a->term));
}

/*
 * Can @a access the map's value that @k keeps? It can if the variable parts of the keys differ: the
 * keys may be equal when the kernel runs.
 */
static bool may_be(const struct kept *k, const struct access *a)
{
	return k->open && k->first->of == a->of && !same_terms(k->first, a);
}

/* Add access @a to the kept value @k. */
static void note(struct kept *k, const struct access *a)
{
	uint64_t bytes = ((a->width < 64 ? (uint64_t)1 << a->width : 0) - 1) << within(a);

	k->last = a;
	if (a->of->adds)
		return;
	k->narrow |= a->width < 4;
	if (a->store) {
		k->dirty = true;
		k->written |= bytes;
	} else if (bytes & ~k->written) {
		k->load = true;
	}
}

/* Decide which accesses share a kept value. */
static void plan(struct lowering *l)
{
	LLVMBasicBlockRef block = NULL;
	unsigned int i, j;

	for (i = 0; i < l->r->accesses; i++) {
		const struct access *a = &l->r->access[i];
		int64_t number = floor_div(a->offset, a->of->unit);
		struct kept *k = NULL;

		if (LLVMGetInstructionParent(a->inst) != block) {
			block = LLVMGetInstructionParent(a->inst);
			for (j = 0; j < l->n; j++)
				l->kept[j].open = false;
		}
		for (j = 0; j < l->n; j++) {
			struct kept *x = &l->kept[j];

			if (x->open && x->first->of == a->of && x->number == number && same_terms(x->first, a))
				k = x;
			else if (may_be(x, a) && (a->store || x->dirty) && !a->of->adds)
				x->open = false;
		}
		if (!k) {
			k = grow(&l->kept, &l->n, sizeof(*k));
			k->first = a;
			k->number = number;
			k->open = true;
		}
		note(k, a);
		l->of[i] = k - l->kept;
	}
	for (j = 0; j < l->n; j++)
		if (l->kept[j].dirty && l->kept[j].written != ((uint64_t)1 << l->kept[j].first->of->unit) - 1)
			l->kept[j].load = true;
}

static LLVMValueRef call(struct lowering *l, const char *name, unsigned int n, LLVMValueRef *arg,
			 unsigned int args)
{
	char full[32];
	LLVMValueRef fn;

	snprintf(full, sizeof(full), "%s%u", name, n);
	fn = LLVMGetNamedFunction(l->at->module, full);
	if (!fn)
		internal("no function %s", full);
	return LLVMBuildCall2(l->b, LLVMGlobalGetValueType(fn), fn, arg, args, "");
}

static void lifetime(struct lowering *l, const char *name, unsigned int bytes, LLVMValueRef p)
{
	LLVMTypeRef ptr = LLVMPointerType(LLVMInt8Type(), 0);
	LLVMValueRef fn = LLVMGetIntrinsicDeclaration(l->at->module, LLVMLookupIntrinsicID(name, strlen(name)),
						      &ptr, 1);
	LLVMValueRef arg[] = { LLVMConstInt(LLVMInt64Type(), bytes, false), p };

	LLVMBuildCall2(l->b, LLVMGlobalGetValueType(fn), fn, arg, 2, "");
}

static LLVMValueRef stack(struct lowering *l, LLVMTypeRef type)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->r->fn);
	LLVMBuilderRef b = LLVMCreateBuilder();
	LLVMValueRef p;

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	p = LLVMBuildAlloca(b, type, "");
	LLVMSetAlignment(p, 8);
	LLVMDisposeBuilder(b);
	return p;
}

static void before(struct lowering *l, LLVMValueRef inst)
{
	LLVMPositionBuilderBefore(l->b, inst);
	LLVMSetCurrentDebugLocation2(l->b, LLVMInstructionGetDebugLoc(inst));
}

/* Build the key of a map's value: the variable parts of the address, in units, plus @number. */
static LLVMValueRef key_of(struct lowering *l, const struct access *a, int64_t number)
{
	LLVMTypeRef i32 = LLVMInt32Type();
	LLVMValueRef sum = NULL, x;
	unsigned int t;

	for (t = 0; t < a->terms; t++) {
		x = a->term[t].value;
		if (LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 32)
			x = LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 32 ? LLVMBuildTrunc(l->b, x, i32, "") :
								      LLVMBuildZExt(l->b, x, i32, "");
		x = LLVMBuildMul(l->b, x, LLVMConstInt(i32, a->term[t].stride / (int64_t)a->of->unit, true), "");
		sum = sum ? LLVMBuildAdd(l->b, sum, x, "") : x;
	}
	x = LLVMConstInt(i32, (uint32_t)number, false);
	return sum ? LLVMBuildAdd(l->b, sum, x, "") : x;
}

/* Before the first access: build the key, and read the value if needed. */
static void begin(struct lowering *l, struct kept *k)
{
	struct layout *of = k->first->of;
	unsigned int n = of - l->at->layout;

	before(l, k->first->inst);
	k->key = stack(l, LLVMInt32Type());
	lifetime(l, "llvm.lifetime.start", 4, k->key);
	if (of->adds) {
		LLVMBuildStore(l->b, key_of(l, k->first, k->number), k->key);
		k->bytes = call(l, "ncl_find_", n, (LLVMValueRef[]){ k->key }, 1);
		return;
	}
	k->bytes = stack(l, LLVMArrayType2(LLVMInt8Type(), of->unit));
	lifetime(l, "llvm.lifetime.start", of->unit, k->bytes);
	LLVMBuildStore(l->b, key_of(l, k->first, k->number), k->key);
	if (k->load)
		call(l, "ncl_read_", n, (LLVMValueRef[]){ k->key, k->bytes }, 2);
}

/* Was at most half of the value written? */
static bool sparse(const struct kept *k)
{
	return 2 * __builtin_popcountll(k->written) <= (int)k->first->of->unit;
}

/*
 * After the last access: write the value to the map if it was stored to. ncl_write_() gives the map
 * a second copy, so LLVM can keep the first in registers. A value with accesses of single bytes
 * needs too many registers, and a value that was hardly written gains nothing: ncl_put_() gives the
 * map the copy on the stack.
 */
static void end(struct lowering *l, const struct kept *k)
{
	struct layout *of = k->first->of;

	LLVMPositionBuilderBefore(l->b, LLVMGetNextInstruction(k->last->inst));
	LLVMSetCurrentDebugLocation2(l->b, LLVMInstructionGetDebugLoc(k->last->inst));
	if (k->dirty)
		call(l, k->narrow || sparse(k) ? "ncl_put_" : "ncl_write_", of - l->at->layout, (LLVMValueRef[]){ k->key, k->bytes }, 2);
	if (!of->adds)
		lifetime(l, "llvm.lifetime.end", of->unit, k->bytes);
	lifetime(l, "llvm.lifetime.end", 4, k->key);
}

/* Make the access @a use the copy on the stack. */
static void redirect(struct lowering *l, const struct access *a, const struct kept *k)
{
	LLVMValueRef off = LLVMConstInt(LLVMInt64Type(), within(a), false), p;

	before(l, a->inst);
	p = LLVMBuildInBoundsGEP2(l->b, LLVMInt8Type(), k->bytes, &off, 1, "");
	LLVMSetOperand(a->inst, a->store, p);
}

/*
 * Replace the store @a of a sum by an atomic add of the sum's other operand to the word in the map.
 * The load and the sum then have no users, and LLVM removes them.
 */
static void add(struct lowering *l, const struct access *a, const struct kept *k)
{
	LLVMValueRef sum = LLVMGetOperand(a->inst, 0), x = LLVMGetOperand(sum, 1), v;
	LLVMValueRef off = LLVMConstInt(LLVMInt64Type(), within(a), false), null;

	before(l, a->inst);
	if (x == a->pair->inst)
		x = LLVMGetOperand(sum, 0);
	if (LLVMGetInstructionOpcode(sum) == LLVMSub)
		x = LLVMBuildNeg(l->b, x, "");
	v = LLVMBuildGEP2(l->b, LLVMInt8Type(), k->bytes, &off, 1, "");
	null = LLVMConstNull(LLVMTypeOf(v));
	v = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, k->bytes, null, ""), null, v, "");
	call(l, "ncl_add_", a->width, (LLVMValueRef[]){ v, x }, 2);
}

static void lower_run(struct place *at, struct run *r)
{
	struct lowering l = { .at = at, .r = r, .b = LLVMCreateBuilder() };
	unsigned int i;

	l.of = need(r->accesses, sizeof(*l.of));
	plan(&l);
	for (i = 0; i < r->accesses; i++) {
		const struct access *a = &r->access[i];
		struct kept *k = &l.kept[l.of[i]];

		if (k->first == a)
			begin(&l, k);
		if (!a->of->adds)
			redirect(&l, a, k);
		else if (a->store)
			add(&l, a, k);
		if (k->last == a)
			end(&l, k);
		if (a->of->adds && a->store)
			LLVMInstructionEraseFromParent(a->inst);
	}
	free(l.of);
	free(l.kept);
	LLVMDisposeBuilder(l.b);
}

/* Replace ncl_map_get_() by BPF helper 1, bpf_map_lookup_elem(). */
static void lower_lookups(struct place *at)
{
	LLVMValueRef get = LLVMGetNamedFunction(at->module, "ncl_map_get_");
	LLVMTypeRef ptr = LLVMPointerType(LLVMInt8Type(), 0), type;
	LLVMValueRef helper;
	LLVMUseRef u;

	if (!get)
		return;
	type = LLVMFunctionType(ptr, (LLVMTypeRef[]){ ptr, ptr }, 2, false);
	helper = LLVMConstIntToPtr(LLVMConstInt(LLVMInt64Type(), 1, false), ptr);
	while ((u = LLVMGetFirstUse(get))) {
		LLVMValueRef i = LLVMGetUser(u), v, arg[2];
		LLVMBuilderRef b = LLVMCreateBuilder();
		LLVMValueRef key = LLVMGetOperand(i, 1);

		while (LLVMIsAGetElementPtrInst(key))
			key = LLVMGetOperand(key, 0);
		if (LLVMIsAAllocaInst(key))
			LLVMSetAlignment(key, 8);
		arg[0] = LLVMGetOperand(i, 0);
		arg[1] = LLVMGetOperand(i, 1);
		LLVMPositionBuilderBefore(b, i);
		LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
		v = LLVMBuildCall2(b, type, helper, arg, 2, "");
		LLVMDisposeBuilder(b);
		LLVMReplaceAllUsesWith(i, v);
		LLVMInstructionEraseFromParent(i);
	}
	LLVMDeleteFunction(get);
}

/* Set the shell's constants ncl_locked_N to the result of lock_decide(). */
static void set_locked(struct place *at)
{
	unsigned int i;

	for (i = 0; i < at->runs; i++) {
		char name[24];
		LLVMValueRef g;

		snprintf(name, sizeof(name), "ncl_locked_%u", i);
		g = LLVMGetNamedGlobal(at->module, name);
		if (!g)
			continue;
		LLVMSetInitializer(g, LLVMConstInt(LLVMInt32Type(), at->run[i].locked, false));
		LLVMSetLinkage(g, LLVMInternalLinkage);
		LLVMSetGlobalConstant(g, true);
	}
}

/* An instruction that uses @global, directly or in a constant expression; NULL: none */
static LLVMValueRef left_over(LLVMValueRef global)
{
	LLVMUseRef u;

	for (u = LLVMGetFirstUse(global); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAConstantExpr(user))
			user = left_over(user);
		if (user)
			return user;
	}
	return NULL;
}

/* Delete the user's variable, whose accesses are lowered. Uses of a map refer to the BPF map. */
static void replace_global(struct place *at, const struct layout *l)
{
	LLVMValueRef map = l->here ? LLVMGetNamedGlobal(at->module, l->map) : NULL;

	if (l->here && !map)
		internal("no map %s", l->map);
	if (!l->global)
		return;
	if (l->var->map && map)
		LLVMReplaceAllUsesWith(l->global, map);
	if (left_over(l->global) && options.keep)
		LLVMDumpValue(left_over(l->global));
	if (left_over(l->global))
		internal("'%s' has a use that was not made a map access, in line %u", l->var->name,
			 where_inst(left_over(l->global)).line);
	LLVMReplaceAllUsesWith(l->global, LLVMConstNull(LLVMTypeOf(l->global)));
	LLVMDeleteGlobal(l->global);
}

/* Remove the lines of generated code. LLVM then gives the inlined code the line of the call. */
static void drop_lines(LLVMModuleRef m)
{
	LLVMBasicBlockRef b;
	LLVMValueRef f, i;

	for (f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		LLVMSetSubprogram(f, NULL);
		for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				LLVMInstructionSetDebugLoc(i, NULL);
	}
}

void lower(struct place *at)
{
	char *source = temp_path("maps.c"), *bitcode = temp_path("maps.bc"), *s = maps_text(at);
	LLVMModuleRef maps;
	unsigned int i;

	write_file(source, s, strlen(s));
	free(s);
	maps = clang_module(clang_start(source, bitcode, CLANG_DEVICE), bitcode);
	emit_target(maps);
	drop_lines(maps);
	for (i = 0; i < at->layouts; i++)
		if (at->layout[i].global)
			LLVMSetValueName2(at->layout[i].global, "", 0);
	if (LLVMLinkModules2(at->module, maps))
		internal("maps cannot be linked");
	for (i = 0; i < at->runs; i++)
		lower_run(at, &at->run[i]);
	window_lower(at);
	lower_lookups(at);
	emit_run(at->module, "function(adce)");
	for (i = 0; i < at->layouts; i++)
		replace_global(at, &at->layout[i]);
	set_locked(at);
}
