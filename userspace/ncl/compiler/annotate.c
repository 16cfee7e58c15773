// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Specifiers. clang stores each, with its arguments, as an annotation of the function, variable or
 * parameter.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "desc.h"
#include "ncp.h"
#include "di.h"
#include "netcl.h"
#include "annotate.h"

/*
 * Operands of an annotation, by number: of an entry of llvm.global.annotations and of a call of
 * llvm.var.annotation. Operands 2 and 3 are file and line.
 */
enum { ANNOTATION_OF = 0, ANNOTATION_TEXT = 1, ANNOTATION_ARGS = 4 };

static const char *constant_text(LLVMValueRef v)
{
	LLVMValueRef init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
	size_t len;
	const char *s;

	if (!init || !LLVMIsConstantString(init))
		return NULL;
	s = LLVMGetAsString(init, &len);
	return text("%.*s", (int)len, s);
}

/*
 * Read the arguments of a specifier from the structure of constants @args. Returns their number. A
 * specifier that has arguments has at least one: the macros of ncl.h see to that.
 */
static unsigned int arguments(LLVMValueRef args, LLVMValueRef arg[ARGS_MAX], const struct where *at)
{
	LLVMValueRef init = LLVMIsAGlobalVariable(args) ? LLVMGetInitializer(args) : NULL;
	LLVMTypeRef type = init ? LLVMTypeOf(init) : NULL;
	unsigned int n = init ? LLVMCountStructElementTypes(type) : 0, i;

	if (n > ARGS_MAX)
		refuse(at, "a specifier has %u arguments; the limit is %u", n, ARGS_MAX);
	/* LLVM stores a structure that is all zero without operands. */
	for (i = 0; i < n; i++)
		arg[i] = LLVMIsNull(init) ? LLVMConstNull(LLVMStructGetTypeAtIndex(type, i)) :
					    LLVMGetOperand(init, i);
	return n;
}

places_t all_devices(const struct and_net *net)
{
	places_t all = 0;
	unsigned int i;

	for (i = 0; i < net->nr; i++)
		if (net->node[i].device)
			all |= (places_t)1 << i;
	return all;
}

static places_t places(const struct and_net *net, LLVMValueRef *arg, unsigned int n,
		       const struct where *at)
{
	places_t set = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const char *label = LLVMIsAConstantInt(arg[i]) ? device_label(net, arg[i], at) :
				    constant_text(arg[i]);
		const struct and_node *node = label ? and_find(net, label) : NULL;

		if (!node)
			refuse(at, "_at_(\"%s\"): no node of %s has that label", label ?: "?",
			       options.net);
		if (!node->device)
			refuse(at, "_at_(\"%s\"): that node of %s is a host; kernels and variables must be at devices",
			       label, options.net);
		set |= (places_t)1 << (node->id - 1);
	}
	return set;
}

unsigned int window_trial(unsigned int w)
{
	return options.window ? (uint64_t)w * options.window / options.of ?: 1 : w;
}

static unsigned int window_count(const struct kernel *k, LLVMValueRef arg, const char *what)
{
	long long w = LLVMIsAConstantInt(arg) ? LLVMConstIntGetSExtValue(arg) : 0;

	if (w < 1 || w > NCP_DATA_MAX)
		refuse(&k->at, "%s of '%s' has %lld; a window can have 1 to %u elements of an array",
		       what, k->name, w, NCP_DATA_MAX);
	return window_trial(w);
}

static struct kernel *kernel_of(struct program *p, LLVMValueRef fn)
{
	const char *symbol = LLVMGetValueName(fn);
	struct kernel *k;
	di sub;
	unsigned int i;

	for (i = 0; i < p->kernels; i++)
		if (!strcmp(p->kernel[i].symbol, symbol))
			return &p->kernel[i];
	k = grow(&p->kernel, &p->kernels, sizeof(*k));
	sub = LLVMGetSubprogram(fn);
	k->symbol = text("%s", symbol);
	k->name = (sub ? di_string(sub, DI_NAME) : NULL) ?: k->symbol;
	k->at = where_function(fn);
	return k;
}

struct var *var_of(struct program *p, LLVMValueRef global)
{
	const char *symbol = LLVMGetValueName(global);
	struct var *v;
	di var;
	unsigned int i;

	for (i = 0; i < p->vars; i++)
		if (!strcmp(p->var[i].symbol, symbol))
			return &p->var[i];
	v = grow(&p->var, &p->vars, sizeof(*v));
	var = di_of_global(global);
	v->symbol = text("%s", symbol);
	v->name = (var ? di_string(var, DI_VAR_NAME) : NULL) ?: v->symbol;
	v->at = where_global(global);
	return v;
}

static void annotate_kernel(struct program *p, LLVMValueRef fn, const char *what, LLVMValueRef args)
{
	struct kernel *k = kernel_of(p, fn);
	LLVMValueRef arg[ARGS_MAX];
	unsigned int n = arguments(args, arg, &k->at), i;

	if (!strcmp(what, "net"))
		k->net = true;
	else if (!strcmp(what, "out"))
		k->out = true;
	else if (!strcmp(what, "in"))
		k->in = true;
	else if (!strcmp(what, "nolock"))
		k->nolock = true;
	else if (!strcmp(what, "id"))
		k->id = kernel_number(k, arg[0]);
	else if (!strcmp(what, "at"))
		k->places |= places(p->net, arg, n, &k->at);
	else if (!strcmp(what, "lock"))
		k->lock = constant_text(arg[0]);
	else if (!strcmp(what, "pair"))
		k->pair = constant_text(arg[0]);
	else if (!strcmp(what, "as"))
		k->name = constant_text(arg[0]) ?: k->name;
	else if (!strcmp(what, "win")) {
		k->wins = n;
		for (i = 0; i < n; i++)
			k->win[i] = window_count(k, arg[i], "_win_()");
	} else
		refuse(&k->at, "a function cannot have the specifier '_%s_'", what);
}

static void annotate_var(struct program *p, LLVMValueRef global, const char *what, LLVMValueRef args)
{
	struct var *v = var_of(p, global);
	LLVMValueRef arg[ARGS_MAX];
	unsigned int n = arguments(args, arg, &v->at);

	if (!strcmp(what, "net"))
		v->net = true;
	else if (!strcmp(what, "ctrl"))
		v->ctrl = true;
	else if (!strcmp(what, "managed"))
		v->managed = true;
	else if (!strcmp(what, "lookup"))
		v->lookup = true;
	else if (!strcmp(what, "at"))
		v->places |= places(p->net, arg, n, &v->at);
	else
		refuse(&v->at, "a variable cannot have the specifier '_%s_'", what);
}

void annotate_all(struct program *p)
{
	LLVMValueRef list = LLVMGetNamedGlobal(p->module, "llvm.global.annotations");
	int i, n;

	list = list ? LLVMGetInitializer(list) : NULL;
	n = list ? LLVMGetNumOperands(list) : 0;
	for (i = 0; i < n; i++) {
		LLVMValueRef entry = LLVMGetOperand(list, i);
		LLVMValueRef of = LLVMGetOperand(entry, ANNOTATION_OF);
		const char *what = constant_text(LLVMGetOperand(entry, ANNOTATION_TEXT));

		if (!what || strncmp(what, "ncl.", 4))
			continue;
		if (LLVMIsAFunction(of))
			annotate_kernel(p, of, what + 4, LLVMGetOperand(entry, ANNOTATION_ARGS));
		else
			annotate_var(p, of, what + 4, LLVMGetOperand(entry, ANNOTATION_ARGS));
	}
}

static void annotate_param(struct kernel *k, struct param *a, const char *what, LLVMValueRef args)
{
	LLVMValueRef arg[ARGS_MAX];

	if (!strcmp(what, "ncl.ext"))
		a->ext = true;
	else if (!strcmp(what, "ncl.spec") && arguments(args, arg, &k->at))
		a->count = window_count(k, arg[0], "_spec()");
}

/* clang annotates a parameter by a call with the parameter's stack slot, which it names NAME.addr. */
void annotate_params(struct kernel *k, LLVMValueRef fn)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
			const char *what, *name;
			unsigned int n;

			if (!callee || strncmp(LLVMGetValueName(callee), "llvm.var.annotation", 19))
				continue;
			what = constant_text(LLVMGetOperand(i, ANNOTATION_TEXT));
			name = LLVMGetValueName(LLVMGetOperand(i, ANNOTATION_OF));
			for (n = 0; n < k->args && what; n++)
				if (!strncmp(name, k->arg[n].name, strlen(k->arg[n].name)) &&
				    !strcmp(name + strlen(k->arg[n].name), ".addr"))
					annotate_param(k, &k->arg[n], what,
						       LLVMGetOperand(i, ANNOTATION_ARGS));
		}
}

void check_text(const struct where *at, const char *what, const char *s)
{
	if (s && strlen(s) >= DESC_NAME)
		refuse(at, "%s '%.20s...' has %zu characters; the limit is %u", what, s, strlen(s), DESC_NAME - 1);
}
