// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Optimise and write the object of a place. */
#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "nclc.h"

static LLVMTargetMachineRef machine;

static LLVMTargetMachineRef machine_for(const char *triple, const char *cpu)
{
	LLVMTargetRef t;
	char *err;

	if (LLVMGetTargetFromTriple(triple, &t, &err))
		fail(EXIT_REFUSED, "%s", err);
	return LLVMCreateTargetMachine(t, triple, cpu, "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
				       LLVMCodeModelDefault);
}

void emit_init(void)
{
	/* Unroll every loop of a kernel. explain.c refuses an object that is too long for a card. */
	static const char *const argv[] = { "nclc", "-unroll-threshold=100000",
					    "-unroll-max-percent-threshold-boost=100" };

	LLVMParseCommandLineOptions(2, argv, NULL);
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
			refuse(&where, "constant table '%s' is read with an index that is no constant; make it _net_ _ctrl_ and fill it from a host",
			       LLVMGetValueName(g));
		refuse(&where, "'%s' is memory of the hosts, which a kernel cannot reach; add _net_",
		       LLVMGetValueName(g));
	}
	if (LLVMTargetMachineEmitToFile(machine, at->module, at->object, LLVMObjectFile, &err))
		internal("%s", err);
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
