// SPDX-License-Identifier: BSD-2-Clause
/*
 * front.c - C source to an LLVM module: clang, then LLVM's passes.
 *
 * Several files become one module. clang compiles for big-endian MIPS with 32-bit pointers, which has
 * the layout and the byte order of a microengine. Small functions and those that are called once are
 * inlined.
 */
#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "front.h"
#include "routine.h"

#ifndef MECC_CLANG
#define MECC_CLANG "clang"
#endif

static const char *const clang_options[] = {
	"-target", "mips", "-c", "-emit-llvm", "-Os", "-g", "-Xclang", "-disable-llvm-passes",
	"-fno-discard-value-names", "-ffreestanding", "-fno-jump-tables", "-fno-strict-aliasing",
	"-fwrapv", "-Wall",
	"-D__MECC__=1", "-D__lmem=", "-D__shared=", "-D__emem=__attribute__((address_space(7)))",
};

struct where where_of(LLVMValueRef v)
{
	struct where at = { NULL, 0 };
	unsigned int len;

	if (LLVMIsAInstruction(v) && !LLVMInstructionGetDebugLoc(v))
		return at;
	if (LLVMIsAFunction(v) && !LLVMGetSubprogram(v))
		return at;
	at.file = LLVMGetDebugLocFilename(v, &len);
	at.line = LLVMGetDebugLocLine(v);
	return at;
}

struct where where_called(LLVMValueRef inst)
{
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst), to;
	unsigned int len;

	to = at ? LLVMDILocationGetInlinedAt(at) : NULL;
	if (!to)
		return where_of(inst);
	return (struct where){
		LLVMDIFileGetFilename(LLVMDIScopeGetFile(LLVMDILocationGetScope(to)), &len),
		LLVMDILocationGetLine(to),
	};
}

static void clang(const char *file, const char *bitcode)
{
	unsigned int n = sizeof(clang_options) / sizeof(clang_options[0]), i;
	const char **argv = need(n + options.clangs + 5, sizeof(*argv));
	int status;
	pid_t pid;

	argv[0] = getenv("MECC_CLANG") ?: MECC_CLANG;
	memcpy(argv + 1, clang_options, sizeof(clang_options));
	for (i = 0; i < options.clangs; i++)
		argv[1 + n++] = options.clang[i];
	argv[1 + n++] = "-o";
	argv[1 + n++] = bitcode;
	argv[1 + n++] = file;
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		fail(EXIT_REFUSED, "fork: %s", strerror(errno));
	if (!pid) {
		execvp(argv[0], (char **)argv);
		fprintf(stderr, "mecc: %s: %s (set MECC_CLANG to the path of clang)\n", argv[0],
			strerror(errno));
		_exit(127);
	}
	free(argv);
	if (waitpid(pid, &status, 0) < 0)
		fail(EXIT_REFUSED, "waitpid: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		unlink(bitcode);
		exit(EXIT_REFUSED);	/* clang or the child has printed the error. */
	}
}

static LLVMModuleRef read_module(const char *bitcode)
{
	LLVMMemoryBufferRef mem;
	LLVMModuleRef m;
	char *err;

	if (LLVMCreateMemoryBufferWithContentsOfFile(bitcode, &mem, &err))
		fail(EXIT_REFUSED, "%s: %s", bitcode, err);
	if (LLVMParseBitcodeInContext2(LLVMGetGlobalContext(), mem, &m))
		fail(EXIT_REFUSED, "LLVM %u cannot read this clang's bitcode; set MECC_CLANG to the path of clang %u",
		     LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
	LLVMDisposeMemoryBuffer(mem);
	return m;
}

void run_passes(LLVMModuleRef m, const char *passes)
{
	LLVMPassBuilderOptionsRef on = LLVMCreatePassBuilderOptions();
	LLVMErrorRef err = LLVMRunPasses(m, passes, NULL, on);

	if (err)
		internal("passes: %s", LLVMGetErrorMessage(err));
	LLVMDisposePassBuilderOptions(on);
}

static bool is_named_entry(const char *name)
{
	for (unsigned int i = 0; i < options.entries; i++)
		if (!strcmp(options.entry[i], name))
			return true;
	return false;
}

/*
 * An entry takes no arguments and returns nothing. Without --entry all that others see are
 * entries.
 */
static bool is_entry(LLVMValueRef f)
{
	const char *name = LLVMGetValueName2(f, &(size_t){ 0 });
	LLVMTypeRef type = LLVMGlobalGetValueType(f);

	if (options.entries ? !is_named_entry(name) : LLVMGetLinkage(f) != LLVMExternalLinkage)
		return false;
	if (!LLVMCountParamTypes(type) &&
	    LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		return true;
	if (options.entries)
		refuse(where_of(f), name, "an entry is void %s(void)", name);
	return false;
}

static void set_attribute(LLVMValueRef f, const char *name)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(LLVMGetGlobalContext(), kind, 0));
}

static void remove_attribute(LLVMValueRef f, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				       LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void check_entries(LLVMModuleRef m)
{
	unsigned int i;

	for (i = 0; i < options.entries; i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m, options.entry[i]);

		if (!f || LLVMIsDeclaration(f))
			fail(EXIT_REFUSED, "%s: no function %s, which --entry names", options.file[0],
			     options.entry[i]);
	}
}

static void inline_all(LLVMModuleRef m)
{
	unsigned int entries = 0;

	check_entries(m);
	FOR_FUNCTIONS(f, m) {
		if (LLVMIsDeclaration(f))
			continue;
		remove_attribute(f, "optnone");
		if (is_entry(f)) {
			remove_attribute(f, "alwaysinline");
			LLVMSetLinkage(f, LLVMExternalLinkage);
			set_attribute(f, "noinline");
			entries++;
		} else {
			if (!routine_callable(f))
				set_attribute(f, "alwaysinline");
			LLVMSetLinkage(f, LLVMInternalLinkage);
		}
	}
	if (!entries)
		fail(EXIT_REFUSED, "%s: no entry: a function void NAME(void) that is not static",
		     options.file[0]);
	run_passes(m, "always-inline,globaldce,function(sroa,early-cse,simplifycfg),cgscc(inline),globaldce");
}

/* What is left after inlining is called: routine.c checks the order. */
static void check_call(LLVMValueRef f, LLVMValueRef inst)
{
	const char *caller = LLVMGetValueName2(f, &(size_t){ 0 }), *name;
	LLVMValueRef to = LLVMGetCalledValue(inst);

	if (LLVMIsAInlineAsm(to))
		refuse(where_of(inst), caller, "inline assembly is not supported");
	if (!LLVMIsAFunction(to))
		refuse(where_of(inst), caller, "call of a pointer: call the function by its name");
	name = LLVMGetValueName2(to, &(size_t){ 0 });
	if (LLVMIsDeclaration(to) && !LLVMGetIntrinsicID(to) && !call_is_known(name))
		refuse(where_of(inst), caller, "%s() is not defined in this file", name);
}

static void check_calls(LLVMModuleRef m)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	FOR_FUNCTIONS(f, m)
		for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i))
					check_call(f, i);
}

/*
 * No pass of this list makes vectors, tables of branches, or integers that are wider than 64 bits.
 */
static const char cleanup[] =
	"function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
	"loop-mssa(loop-rotate,licm),simplifycfg,gvn,sroa,instcombine<no-verify-fixpoint>,"
	"bdce,dse,adce,simplifycfg),globaldce";

static LLVMModuleRef compile_file(const char *file)
{
	char *bitcode = text("%s/mecc.XXXXXX", getenv("TMPDIR") ?: "/tmp");
	int fd = mkstemp(bitcode);
	LLVMModuleRef m;

	if (fd < 0)
		fail(EXIT_REFUSED, "%s: %s", bitcode, strerror(errno));
	close(fd);
	clang(file, bitcode);
	m = read_module(bitcode);
	unlink(bitcode);
	free(bitcode);
	return m;
}

static LLVMModuleRef compile_files(void)
{
	LLVMModuleRef m = compile_file(options.file[0]), more;

	for (unsigned int i = 1; i < options.files; i++) {
		more = compile_file(options.file[i]);
		if (LLVMLinkModules2(m, more))
			fail(EXIT_REFUSED, "%s: defines what another file defines too", options.file[i]);
	}
	return m;
}

/*
 * No other object file sees the constants in local memory. So a constant whose values are all in the
 * code takes no memory.
 */
static void hide_constants(LLVMModuleRef m)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
		if (LLVMIsGlobalConstant(g) && !LLVMIsDeclaration(g) &&
		    LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SPACE_LM)
			LLVMSetLinkage(g, LLVMInternalLinkage);
}

/* Objects that no entry uses belong to functions of the files that are in other objects. */
static void drop_unused(LLVMModuleRef m)
{
	LLVMValueRef g, next;

	for (g = LLVMGetFirstGlobal(m); g; g = next) {
		next = LLVMGetNextGlobal(g);
		if (!LLVMGetFirstUse(g))
			LLVMDeleteGlobal(g);
	}
}

LLVMModuleRef front_module(void)
{
	LLVMModuleRef m = compile_files();

	hide_constants(m);
	inline_all(m);
	check_calls(m);
	run_passes(m, cleanup);
	drop_unused(m);
	return m;
}
