// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Turn each kernel of a place into one function without calls and loops. Every access to a variable
 * of the network is then a load or store whose address access.c can analyse.
 */
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "di.h"
#include "netcl.h"
#include "shell.h"
#include "emit.h"
#include "flatten.h"

/*
 * Thread-local variables of ncl.h. The shell sets them before it calls a kernel. make_local() turns
 * them into local variables of each kernel.
 */
static const char *const locals[] = { "window", "location", "ncl_decision_" };

/*
 * Build an instruction that computes the constant expression @c, a GEP. The builder would fold an
 * instruction with a constant base to a constant, so build it with a parameter as base, and then set
 * the base.
 */
static LLVMValueRef constant_gep(LLVMBuilderRef b, LLVMValueRef c, LLVMValueRef inst)
{
	LLVMValueRef any = LLVMGetParam(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)), 0);
	unsigned int n = LLVMGetNumOperands(c) - 1, i;
	LLVMValueRef *index = need(n, sizeof(*index)), v;

	for (i = 0; i < n; i++)
		index[i] = LLVMGetOperand(c, i + 1);
	v = LLVMBuildInBoundsGEP2(b, LLVMGetGEPSourceElementType(c), any, index, n, "");
	LLVMSetOperand(v, 0, LLVMGetOperand(c, 0));
	free(index);
	return v;
}

/* Replace the constant expression @c in the operands of @inst by an instruction. */
static void expand_in(LLVMValueRef inst, LLVMValueRef c)
{
	LLVMBuilderRef b = LLVMCreateBuilder();
	unsigned int i, n = LLVMGetNumOperands(inst);

	for (i = 0; i < n; i++) {
		if (LLVMGetOperand(inst, i) != c)
			continue;
		if (LLVMIsAPHINode(inst))
			LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(inst, i)));
		else
			LLVMPositionBuilderBefore(b, inst);
		LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(inst));
		LLVMSetOperand(inst, i, constant_gep(b, c, inst));
	}
	LLVMDisposeBuilder(b);
}

/*
 * Such expressions nest, hence the recursion. LLVM keeps the unused expressions in the list of users
 * of @c.
 */
void expand_constants(LLVMValueRef c)
{
	LLVMValueRef *user;
	unsigned int n = 0, i;
	LLVMUseRef u;

	for (u = LLVMGetFirstUse(c); u; u = LLVMGetNextUse(u))
		n++;
	user = need(n, sizeof(*user));
	for (n = 0, u = LLVMGetFirstUse(c); u; u = LLVMGetNextUse(u))
		user[n++] = LLVMGetUser(u);
	for (i = 0; i < n; i++) {
		if (LLVMIsAConstantExpr(user[i]))
			expand_constants(user[i]);
		else if (LLVMIsAInstruction(user[i]) && LLVMIsAConstantExpr(c) &&
			 LLVMGetConstOpcode(c) == LLVMGetElementPtr)
			expand_in(user[i], c);
	}
	free(user);
}

static LLVMValueRef called(LLVMValueRef inst, const char *name)
{
	LLVMValueRef fn = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) ? LLVMGetCalledValue(inst) : NULL;

	return fn && !strncmp(LLVMGetValueName(fn), name, strlen(name)) ? fn : NULL;
}

/* Call @fn for each instruction of a function. @fn may erase the instruction. */
static void each_inst(LLVMValueRef function, void (*fn)(LLVMValueRef inst, void *arg), void *arg)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;

	for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = next) {
			next = LLVMGetNextInstruction(i);
			fn(i, arg);
		}
}

static void replace(LLVMValueRef inst, LLVMValueRef by)
{
	LLVMReplaceAllUsesWith(inst, by);
	LLVMInstructionEraseFromParent(inst);
}

/* Arguments of simple_calls(), for simple_call() */
struct answers {
	const struct program *p;
	bool device;
};

static void simple_call(LLVMValueRef i, void *arg)
{
	const struct answers *a = arg;

	if (a->device && called(i, "llvm.threadlocal.address")) {
		LLVMValueRef global = LLVMGetOperand(i, 0);
		unsigned int n;

		for (n = 0; n < sizeof(locals) / sizeof(*locals); n++)
			if (!strcmp(LLVMGetValueName(global), locals[n]))
				replace(i, global);
	} else if (called(i, "llvm.var.annotation")) {
		LLVMInstructionEraseFromParent(i);
	} else if (called(i, "ncl_device_") || called(i, "ncl_host_") || called(i, "ncl_group_")) {
		replace(i, checked_number(a->p->net, i, LLVMGetValueName(LLVMGetCalledValue(i))));
	} else if (called(i, "ncl_place")) {
		LLVMValueRef s = LLVMGetOperand(i, 0), init;
		const struct and_node *node;
		struct where at = where_inst(i);
		size_t len;

		init = LLVMIsAGlobalVariable(s) ? LLVMGetInitializer(s) : NULL;
		if (!init || !LLVMIsConstantString(init))
			refuse(&at, "a label must be a string literal");
		node = and_find(a->p->net, LLVMGetAsString(init, &len));
		if (!node)
			refuse(&at, "no node of %s has the label \"%s\"", options.net, LLVMGetAsString(init, &len));
		replace(i, LLVMConstInt(LLVMInt32Type(), node->id, false));
	}
}

void simple_calls(LLVMModuleRef m, const struct program *p, bool device)
{
	struct answers a = { p, device };
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
		each_inst(f, simple_call, &a);
}

static void drop_attributes(LLVMValueRef f)
{
	static const char *const strings[] = { "target-cpu", "target-features", "tune-cpu",
					       "frame-pointer", "stack-protector-buffer-size", "min-legal-vector-width",
					       "no-trapping-math" };
	static const char *const enums[] = { "noinline", "optnone", "uwtable", "sspstrong", "ssp",
					     "mustprogress", "optsize", "minsize" };
	unsigned int i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, strings[i], strlen(strings[i]));
	for (i = 0; i < sizeof(enums) / sizeof(*enums); i++)
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					       LLVMGetEnumAttributeKindForName(enums[i], strlen(enums[i])));
}

static void add_attribute(LLVMValueRef f, const char *name)
{
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(LLVMGetGlobalContext(),
							LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

/*
 * Make everything internal except ncl(), the entry, and the maps. Have LLVM inline every function,
 * except ncl_run_N(), which stay functions until emit_object().
 */
static void hide(LLVMModuleRef m)
{
	LLVMValueRef g;

	drop_global(m, "llvm.used");
	drop_global(m, "llvm.compiler.used");
	drop_global(m, "llvm.global.annotations");
	drop_global(m, "llvm.global_ctors");
	drop_global(m, "llvm.global_dtors");
	for (g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && !(LLVMGetSection(g) ?: "")[0]) {
			LLVMSetLinkage(g, LLVMInternalLinkage);
			LLVMSetComdat(g, NULL);
		}
	for (g = LLVMGetFirstFunction(m); g; g = LLVMGetNextFunction(g)) {
		if (LLVMIsDeclaration(g))
			continue;
		drop_attributes(g);
		LLVMSetComdat(g, NULL);
		if (!strcmp(LLVMGetValueName(g), "ncl"))
			continue;
		LLVMSetLinkage(g, LLVMInternalLinkage);
		if (strncmp(LLVMGetValueName(g), "ncl_run_", 8))
			add_attribute(g, "alwaysinline");
		else
			add_attribute(g, "noinline");
	}
}

/* Replace the global variable @name by a local variable in each kernel. */
static void make_local(struct place *at, const char *name)
{
	LLVMValueRef global = LLVMGetNamedGlobal(at->module, name);
	LLVMBuilderRef b;
	LLVMUseRef u, next;
	unsigned int i;

	if (!global)
		return;
	expand_constants(global);
	b = LLVMCreateBuilder();
	for (i = 0; i < at->runs; i++) {
		LLVMValueRef fn = at->run[i].fn, own;

		LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
		own = LLVMBuildAlloca(b, LLVMGlobalGetValueType(global), name);
		for (u = LLVMGetFirstUse(global); u; u = next) {
			LLVMValueRef user = LLVMGetUser(u);
			unsigned int o, n;

			next = LLVMGetNextUse(u);
			if (!LLVMIsAInstruction(user) ||
			    LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != fn)
				continue;
			n = LLVMGetNumOperands(user);
			for (o = 0; o < n; o++)
				if (LLVMGetOperand(user, o) == global)
					LLVMSetOperand(user, o, own);
			next = LLVMGetFirstUse(global);
		}
	}
	LLVMDisposeBuilder(b);
}

/* After inlining, a call is left only if its function has no body or is recursive. Refuse it. */
static void check_call(LLVMValueRef i, void *arg)
{
	LLVMValueRef fn = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
	struct where at;
	const char *name;

	(void)arg;
	if (!fn || LLVMIsAInlineAsm(fn))
		return;
	at = where_inst(i);
	if (!LLVMIsAFunction(fn))
		refuse(&at, "a function is called through a pointer; a kernel can only call functions by name");
	name = LLVMGetValueName(fn);
	if (!strncmp(name, "llvm.", 5) || !strcmp(name, "ncl_map_get_"))
		return;
	if (!LLVMIsDeclaration(fn))
		refuse(&at, "'%s' calls itself; kernels cannot use recursion", name);
	refuse(&at, "'%s' is called, but its body is not in this file; a device has no libraries", name);
}

/* Depth-first walk of a function's blocks: all blocks seen, and those on the current path */
struct walk {
	LLVMBasicBlockRef *seen, *open;
	unsigned int n_seen, n_open;
};

static bool has(LLVMBasicBlockRef *list, unsigned int n, LLVMBasicBlockRef b)
{
	while (n)
		if (list[--n] == b)
			return true;
	return false;
}

/* Refuse a loop: a block whose successor is on the current path. */
static void find_loop(struct walk *w, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	unsigned int i, n = LLVMGetNumSuccessors(end);

	w->seen[w->n_seen++] = b;
	w->open[w->n_open++] = b;
	for (i = 0; i < n; i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

		if (has(w->open, w->n_open, to)) {
			struct where at = where_inst(end);

			if (!at.line)
				at = where_inst(LLVMGetFirstInstruction(to));
			refuse(&at, "this loop cannot be unrolled: its bound is not a constant, or its iterations have more than about %u instructions together; use a smaller constant, or window.len with _win_() on the kernel",
			       UNROLL_MAX);
		}
		if (!has(w->seen, w->n_seen, to))
			find_loop(w, to);
	}
	w->n_open--;
}

static void check_loops(LLVMValueRef fn)
{
	unsigned int n = LLVMCountBasicBlocks(fn);
	struct walk w = { need(n, sizeof(*w.seen)), need(n, sizeof(*w.open)), 0, 0 };

	find_loop(&w, LLVMGetEntryBasicBlock(fn));
	free(w.seen);
	free(w.open);
}

#define LOOPS "loop-simplify,lcssa,loop-mssa(loop-rotate),loop(indvars,loop-unroll-full)"
#define CLEAN "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>"

void flatten(struct place *at)
{
	char *source = temp_path("shell.c"), *bitcode = temp_path("shell.bc"), *s = shell_text(at);
	LLVMModuleRef shell;
	unsigned int i;
	int pid;

	write_file(source, s, strlen(s));
	free(s);
	pid = clang_start(source, bitcode, CLANG_DEVICE);
	at->module = LLVMCloneModule(at->p->module);
	LLVMSetModuleInlineAsm2(at->module, "", 0);	/* <iostream> of hosts has assembler */
	emit_target(at->module);
	simple_calls(at->module, at->p, true);
	for (i = 0; i < sizeof(locals) / sizeof(*locals); i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(at->module, locals[i]);

		if (g) {
			LLVMSetThreadLocal(g, false);
			LLVMSetGlobalConstant(g, false);
		}
	}
	shell = clang_module(pid, bitcode);
	emit_target(shell);
	if (LLVMLinkModules2(at->module, shell))
		internal("the code around the kernels cannot be linked");
	hide(at->module);
	emit_run(at->module, "globaldce,always-inline,globaldce");
	for (i = 0; i < at->runs; i++) {
		char name[24];

		snprintf(name, sizeof(name), "ncl_run_%u", i);
		at->run[i].fn = LLVMGetNamedFunction(at->module, name);
		each_inst(at->run[i].fn, check_call, NULL);
	}
	for (i = 0; i < sizeof(locals) / sizeof(*locals); i++)
		make_local(at, locals[i]);
	emit_run(at->module, "function(" CLEAN "," LOOPS "," CLEAN "," LOOPS "," CLEAN ",gvn," CLEAN ",adce)");
	emit_dump(at->module, text("%s.flat.ll", at->label));
	for (i = 0; i < at->runs; i++)
		check_loops(at->run[i].fn);
}
