// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Optimise and write the object of a place. */
#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "di.h"
#include "emit.h"

static LLVMTargetMachineRef machine;
static const struct place *emitting;	/* the place whose object LLVM generates */

static LLVMTargetMachineRef machine_for(const char *triple, const char *cpu)
{
	LLVMTargetRef t;
	char *err;

	if (LLVMGetTargetFromTriple(triple, &t, &err))
		fail(EXIT_REFUSED, "%s", err);
	return LLVMCreateTargetMachine(t, triple, cpu, "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
				       LLVMCodeModelDefault);
}

/*
 * Refuse a program for which LLVM cannot generate code. LLVM reports the limits of BPF only as text
 * for developers of LLVM, so replace the texts that a user's program can cause.
 */
static void refuse_limit(const char *error)
{
	const struct place *at = emitting;
	const struct where *where = at && at->runs == 1 ? &at->run[0].k->at : NULL;
	char name[64];

	if (at && strstr(error, "stack limit"))
		refuse(where, "the program of \"%s\" needs more than the %u bytes of stack that BPF has; use fewer or smaller local variables",
		       at->label, STACK_MAX);
	if (at && strstr(error, "out of insn range"))
		refuse(where, "the program of \"%s\" is too long: a branch of BPF reaches at most %u instructions; unroll fewer iterations",
		       at->label, BRANCH_MAX);
	if (sscanf(error, "Linking globals named '%63[^']'", name) == 1)
		refuse(NULL, "'%s' is a name in the code that nclc generates; use another name", name);
	internal("LLVM: %s", error);
}

static void diagnose(LLVMDiagnosticInfoRef info, void *unused)
{
	char *s = LLVMGetDiagInfoDescription(info);

	(void)unused;
	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
		refuse_limit(s);
	if (LLVMGetDiagInfoSeverity(info) == LLVMDSWarning)
		fprintf(stderr, "nclc: warning: %s\n", s);
	LLVMDisposeMessage(s);
}

void emit_init(void)
{
	/* Unroll every loop. explain_place.c refuses an object that is too long for a card. */
	const char *const argv[] = { "nclc", text("-unroll-threshold=%u", UNROLL_MAX) };

	LLVMParseCommandLineOptions(sizeof(argv) / sizeof(*argv), argv, NULL);
	LLVMContextSetDiagnosticHandler(LLVMGetGlobalContext(), diagnose, NULL);
	LLVMInstallFatalErrorHandler(refuse_limit);
	LLVMInitializeAllTargetInfos();
	LLVMInitializeBPFTarget();
	LLVMInitializeBPFTargetMC();
	LLVMInitializeBPFAsmPrinter();
	LLVMInitializeBPFAsmParser();
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMInitializeNativeAsmParser();	/* <iostream> has assembler */
	machine = machine_for("bpf", "v3");
}

void drop_global(LLVMModuleRef m, const char *name)
{
	LLVMValueRef g = LLVMGetNamedGlobal(m, name);

	if (g)
		LLVMDeleteGlobal(g);
}

void emit_target(LLVMModuleRef m)
{
	LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);

	LLVMSetTarget(m, "bpf");
	LLVMSetModuleDataLayout(m, data);
	LLVMDisposeTargetData(data);
}

static void run(LLVMModuleRef m, const char *passes, LLVMTargetMachineRef on, bool unroll)
{
	LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
	LLVMErrorRef err;

	LLVMPassBuilderOptionsSetLoopUnrolling(o, unroll);
	err = LLVMRunPasses(m, passes, on, o);
	if (err)
		internal("%s: %s", passes, LLVMGetErrorMessage(err));
	LLVMDisposePassBuilderOptions(o);
}

void emit_run(LLVMModuleRef m, const char *passes)
{
	run(m, passes, machine, true);
}

/* Have LLVM inline all functions into ncl(), the entry, and make everything else internal. */
static void merge(LLVMModuleRef m)
{
	static const char *const enums[] = { "noinline", "optnone" };
	LLVMAttributeRef always = LLVMCreateEnumAttribute(LLVMGetGlobalContext(),
							  LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
	LLVMValueRef f, g;
	unsigned int i;

	drop_global(m, "llvm.used");
	drop_global(m, "llvm.compiler.used");
	for (g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
		if (!strncmp(LLVMGetValueName(g), "ncl_use_", 8))
			LLVMSetLinkage(g, LLVMInternalLinkage);
	for (f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || !strcmp(LLVMGetValueName(f), "ncl"))
			continue;
		for (i = 0; i < 2; i++)
			LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
						       LLVMGetEnumAttributeKindForName(enums[i], strlen(enums[i])));
		LLVMSetLinkage(f, LLVMInternalLinkage);
		LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
	}
}

void emit_dump(LLVMModuleRef m, const char *name)
{
	char *err;

	if (options.keep && LLVMPrintModuleToFile(m, temp_path(name), &err))
		internal("%s", err);
}

void emit_object(struct place *at)
{
	LLVMValueRef g;
	char *err;

	merge(at->module);
	emit_dump(at->module, text("%s.lowered.ll", at->label));
	if (LLVMVerifyModule(at->module, LLVMReturnStatusAction, &err))
		internal("%s", err);
	emit_run(at->module, "always-inline,default<O2>,globaldce");
	emit_dump(at->module, text("%s.ll", at->label));
	for (g = LLVMGetFirstGlobal(at->module); g; g = LLVMGetNextGlobal(g)) {
		const char *section = LLVMGetSection(g) ?: "";
		struct where where = where_global(g);

		if (!where.line && LLVMGetFirstUse(g))
			where = where_inst(LLVMGetUser(LLVMGetFirstUse(g)));
		if (!strcmp(section, ".maps") || !strcmp(section, "license"))
			continue;
		if (LLVMIsGlobalConstant(g))
			refuse(&where, "constant table '%s' is read with an index that is not a constant; make it _net_ _ctrl_ and fill it from a host",
			       LLVMGetValueName(g));
		refuse(&where, "'%s' is a variable of the hosts, which a kernel cannot access; add _net_",
		       LLVMGetValueName(g));
	}
	emitting = at;
	if (LLVMTargetMachineEmitToFile(machine, at->module, at->object, LLVMObjectFile, &err))
		internal("%s", err);
	emitting = NULL;
}

void emit_host(LLVMModuleRef m, const char *path)
{
	LLVMTargetMachineRef host = machine_for(LLVMGetTarget(m), "");
	char *err;

	if (LLVMVerifyModule(m, LLVMReturnStatusAction, &err))
		internal("%s", err);
	/* The thresholds of emit_init() hold for the whole process, so unroll no loops of hosts. */
	run(m, "default<O2>", host, false);
	emit_dump(m, "host.ll");
	if (LLVMTargetMachineEmitToFile(host, m, path, LLVMObjectFile, &err))
		internal("%s", err);
	LLVMDisposeTargetMachine(host);
}
