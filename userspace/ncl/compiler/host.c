// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Write the hosts' object. It has the user's functions and generated C code. Outgoing kernels are
 * empty functions, because hosts use only their addresses. The generated code has the functions that
 * call incoming kernels, and the table ncl_program, which ncrt.h describes.
 */
#include <llvm-c/Linker.h>
#include <string.h>

#include "front.h"
#include "types.h"
#include "flatten.h"
#include "emit.h"
#include "host.h"

/* Append a C string literal. */
static void put_text(struct buf *b, const char *s)
{
	put(b, "\t\"");
	for (; *s; s++)
		if (*s == '\n')
			put(b, s[1] ? "\\n\"\n\t\"" : "\\n");
		else
			put(b, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	put(b, "\"");
}

static const char *param_c(const struct param *a)
{
	return a->array || a->ref || a->ext ? "void *" : type_c(&a->type);
}

/* Generate call_N(), which libncrt calls to run incoming kernel N on a window. */
static void put_call(struct buf *b, const struct program *p, unsigned int n)
{
	const struct kernel *k = &p->kernel[n];
	unsigned int i;

	put(b, "static void call_%u(const struct ncrt_window *w, void *const *args)\n{\n", n);
	put(b, "	window.seq = w->seq;\n	window.invocation = w->invocation;\n"
	    "	window.from = w->from;\n	window.to = w->to;\n	window.len = w->len;\n");
	for (i = 0; i < p->fields; i++) {
		const struct field *f = &p->field[i];

		put(b, "	window.%s = *(%s *)((char *)w->data + %u);\n", f->name, type_c(&f->type),
		    f->offset);
	}
	put(b, "	kernel_%u(", n);
	for (i = 0; i < k->args; i++) {
		const struct param *a = &k->arg[i];

		put(b, i ? ", " : "");
		if (a->array || a->ref || a->ext)
			put(b, "args[%u]", i);
		else
			put(b, "*(%s *)args[%u]", type_c(&a->type), i);
	}
	put(b, ");\n}\n");
}

static char *host_text(const struct program *p, const char *desc)
{
	struct buf b = { 0 };
	unsigned int i, j;

	put(&b, "#include \"ncrt.h\"\nstruct ncl_window {\n	uint32_t seq, invocation, len, from, to;\n");
	for (i = 0; i < p->fields; i++)
		put(&b, "	%s %s;\n", type_c(&p->field[i].type), p->field[i].name);
	put(&b, "};\n__thread struct ncl_window window;\n__thread struct { uint32_t id; } location;\n"
	    "__thread uint32_t ncl_decision_;\n");
	for (i = 0; i < p->kernels; i++) {
		const struct kernel *k = &p->kernel[i];

		put(&b, "extern void kernel_%u(", i);
		for (j = 0; j < k->args; j++)
			put(&b, "%s%s", j ? ", " : "", param_c(&k->arg[j]));
		put(&b, "%s) __asm__(\"%s\");\n", k->args ? "" : "void", k->symbol);
		if (k->in)
			put_call(&b, p, i);
	}
	put(&b, "static const struct ncl_kernel kernels[] = {\n");
	for (i = 0; i < p->kernels; i++) {
		put(&b, "	{ \"%s\", (const void *)kernel_%u, ", p->kernel[i].name, i);
		if (p->kernel[i].in)
			put(&b, "call_%u },\n", i);
		else
			put(&b, "0 },\n");
	}
	put(&b, "};\n");
	for (i = 0; i < p->vars; i++)
		put(&b, "extern char variable_%u[] __asm__(\"%s\");\n", i, p->var[i].symbol);
	put(&b, "static const struct ncl_variable variables[] = {\n");
	for (i = 0; i < p->vars; i++)
		put(&b, "	{ \"%s\", variable_%u, %llu },\n", p->var[i].name, i, p->var[i].map ? 24ull :
		    (unsigned long long)p->var[i].count * p->var[i].type.size);
	put(&b, "	{ 0 }\n};\nconst struct ncl_program ncl_program = {\n	NCL_PROGRAM_ABI, 0x%04x, \"%s\",\n",
	    p->hash, options.name);
	put_text(&b, desc);
	put(&b, ",\n	kernels, variables, %u, %u\n};\n", p->kernels, p->vars);
	return b.s;
}

/* Let generated code refer to a static function or variable. */
static void show(LLVMValueRef v)
{
	if (LLVMGetLinkage(v) != LLVMInternalLinkage)
		return;
	LLVMSetLinkage(v, LLVMExternalLinkage);
	LLVMSetVisibility(v, LLVMHiddenVisibility);
}

/* Replace a function by an empty one. */
static void empty(LLVMModuleRef m, const char *symbol)
{
	LLVMValueRef old = LLVMGetNamedFunction(m, symbol);
	LLVMValueRef new = LLVMAddFunction(m, "", LLVMGlobalGetValueType(old));
	LLVMBuilderRef b = LLVMCreateBuilder();

	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlock(new, ""));
	LLVMBuildRetVoid(b);
	LLVMDisposeBuilder(b);
	LLVMSetVisibility(new, LLVMGetVisibility(old));
	LLVMReplaceAllUsesWith(old, new);
	LLVMDeleteFunction(old);
	LLVMSetValueName2(new, symbol, strlen(symbol));
}

char *host_object(struct program *p, const char *desc)
{
	char *source = temp_path("host.c"), *bitcode = temp_path("host.bc"), *s = host_text(p, desc);
	LLVMModuleRef m = p->module, stubs;
	char *object;
	unsigned int i;

	write_file(source, s, strlen(s));
	stubs = clang_module(clang_start(source, bitcode, CLANG_HOST), bitcode);
	drop_global(m, "llvm.global.annotations");
	simple_calls(m, p, false);
	for (i = 0; i < p->vars; i++)
		show(LLVMGetNamedGlobal(m, p->var[i].symbol));
	for (i = 0; i < p->kernels; i++) {
		show(LLVMGetNamedFunction(m, p->kernel[i].symbol));
		if (p->kernel[i].out)
			empty(m, p->kernel[i].symbol);
	}
	if (LLVMLinkModules2(m, stubs))
		internal("the hosts' code cannot be linked");
	object = temp_path("host.o");
	emit_host(m, object);
	return object;
}
