// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Read kernels, variables and window fields from the module of the user's file. clang stores each
 * specifier, with its arguments, as an annotation of the function or variable.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "desc.h"
#include "ncp.h"
#include "types.h"

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

/* Read the arguments of a specifier from the structure of constants @args. Returns their number. */
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
	k->name = (sub ? di_string(sub, 2) : NULL) ?: k->symbol;
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
	v->name = (var ? di_string(var, 1) : NULL) ?: v->symbol;
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

static void annotations(struct program *p)
{
	LLVMValueRef list = LLVMGetNamedGlobal(p->module, "llvm.global.annotations");
	int i, n;

	list = list ? LLVMGetInitializer(list) : NULL;
	n = list ? LLVMGetNumOperands(list) : 0;
	for (i = 0; i < n; i++) {
		LLVMValueRef entry = LLVMGetOperand(list, i), of = LLVMGetOperand(entry, 0);
		const char *what = constant_text(LLVMGetOperand(entry, 1));

		if (!what || strncmp(what, "ncl.", 4))
			continue;
		if (LLVMIsAFunction(of))
			annotate_kernel(p, of, what + 4, LLVMGetOperand(entry, 4));
		else
			annotate_var(p, of, what + 4, LLVMGetOperand(entry, 4));
	}
}

/* Store an annotation of a parameter in @a. */
static void annotate_param(struct kernel *k, struct param *a, const char *what, LLVMValueRef args)
{
	LLVMValueRef arg[ARGS_MAX];

	if (!strcmp(what, "ncl.ext"))
		a->ext = true;
	else if (!strcmp(what, "ncl.spec") && arguments(args, arg, &k->at))
		a->count = window_count(k, arg[0], "_spec()");
}

/* clang annotates a parameter by a call with the parameter's stack slot, which it names NAME.addr. */
static void annotate_params(struct kernel *k, LLVMValueRef fn)
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
			what = constant_text(LLVMGetOperand(i, 1));
			name = LLVMGetValueName(LLVMGetOperand(i, 0));
			for (n = 0; n < k->args && what; n++)
				if (!strncmp(name, k->arg[n].name, strlen(k->arg[n].name)) &&
				    !strcmp(name + strlen(k->arg[n].name), ".addr"))
					annotate_param(k, &k->arg[n], what, LLVMGetOperand(i, 4));
		}
}

static void kernel_args(struct kernel *k, LLVMValueRef fn)
{
	di sub = LLVMGetSubprogram(fn);
	di types = sub ? di_operand(di_operand(sub, 4), 3) : NULL;
	unsigned int i, n = LLVMCountParams(fn);

	if (!sub || LLVMIsDeclaration(fn))
		refuse(&k->at, "kernel '%s' has no body; define it in this file", k->name);
	if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(fn))) != LLVMVoidTypeKind)
		refuse(&k->at, "kernel '%s' returns a value; a kernel must be 'void'", k->name);
	if (n > ARGS_MAX)
		refuse(&k->at, "kernel '%s' has %u arguments; the limit is %u", k->name, n, ARGS_MAX);
	if (di_operands(types) != n + 1)
		refuse(&k->at, "kernel '%s' has an argument that is passed by value and is no number; pass a pointer to it",
		       k->name);
	k->args = n;
	for (i = 0; i < n; i++)
		k->arg[i].name = text("%s", LLVMGetValueName(LLVMGetParam(fn, i)));
	annotate_params(k, fn);
	for (i = 0; i < n; i++) {
		struct param *a = &k->arg[i];
		di type = di_operand(types, i + 1);

		if (a->ext) {
			if (!k->in)
				refuse(&k->at, "argument '%s' of '%s' is _ext_; only an incoming kernel can have such an argument",
				       a->name, k->name);
			if (!type_pointer(type, &a->type, &a->ref))
				a->type = (struct type){ U8, 1, 1 };	/* void * and such */
			continue;
		}
		a->array = type_pointer(type, &a->type, &a->ref) && !a->ref;
		if (a->array || a->ref)
			continue;
		if (!type_of(type, &a->type) || a->type.kind == BYTES)
			refuse(&k->at, "argument '%s' of '%s' is neither a number nor a pointer to numbers or structures",
			       a->name, k->name);
	}
}

/* Refuse an incoming kernel that calls _drop(), _pass() and such: a window ends at the host. */
static void check_decisions(const struct kernel *k, LLVMValueRef fn)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
			struct where at = where_inst(i);

			if (callee && !strcmp(LLVMGetValueName(callee), "ncl_decide_"))
				refuse(&at, "incoming kernel '%s' forwards or drops the window; only outgoing kernels can, because an incoming kernel runs at the host where the window ends",
				       k->name);
		}
}

static void kernel_windows(const struct program *p, struct kernel *k)
{
	unsigned int i, n = 0, off = 0;

	for (i = 0; i < k->args; i++)
		n += k->arg[i].array && !k->arg[i].ext;
	if (n && !k->wins && k->out)
		refuse(&k->at, "kernel '%s' has %u array%s, but the number of elements of %s in a window is not given: add _win_(%s), or write 'TYPE NAME[16]'",
		       k->name, n, n > 1 ? "s" : "", n > 1 ? "each" : "it", n > 1 ? "16, ..." : "16");
	if (k->out && n != k->wins)
		refuse(&k->at, "_win_() of '%s' has %u number%s for %u array%s; it needs one for each array",
		       k->name, k->wins, k->wins == 1 ? "" : "s", n, n == 1 ? "" : "s");
	for (i = 0; i < p->fields; i++)
		off = p->field[i].offset + p->field[i].type.size;
	for (i = n = 0; i < k->args; i++) {
		struct param *a = &k->arg[i];

		if (a->ext)
			continue;
		if (a->array)
			a->count = k->win[n++];
		a->offset = off = (off + a->type.align - 1) / a->type.align * a->type.align;
		off += a->type.size * (a->array ? a->count : 1);
		if (a->array && !k->len)
			k->len = a->count;
	}
	k->size = off;
	if (k->size > NCP_DATA_MAX)
		refuse(&k->at, "a window of '%s' has %u bytes; the limit is %u (NCP_DATA_MAX): make _win_() smaller",
		       k->name, k->size, NCP_DATA_MAX);
}

static bool same_args(const struct kernel *in, const struct kernel *out)
{
	unsigned int i, n = 0;

	for (i = 0; i < in->args; i++) {
		const struct param *a = &in->arg[i], *b = &out->arg[n];

		if (a->ext)
			continue;
		if (n++ >= out->args || a->array != b->array || a->type.kind != b->type.kind ||
		    a->type.size != b->type.size)
			return false;
	}
	return n == out->args;
}

/*
 * Find the outgoing kernel whose windows the incoming kernel @in takes: the kernel that has the same
 * arguments, and the name in _pair_() if @in has one.
 */
static void pair(struct program *p, struct kernel *in)
{
	unsigned int i, n = 0;
	bool named = false;

	for (i = 0; i < p->kernels; i++) {
		struct kernel *k = &p->kernel[i];

		if (!k->out || (in->pair && strcmp(in->pair, k->name)))
			continue;
		named = true;
		if (!same_args(in, k) || (in->out_kernel && in->out_kernel->id == k->id))
			continue;
		in->out_kernel = k;
		n++;
	}
	if (in->pair && !named)
		refuse(&in->at, "_pair_(\"%s\"): no outgoing kernel has that name", in->pair);
	if (!n)
		refuse(&in->at, "incoming kernel '%s' has the arguments of no outgoing kernel%s%s; mark arguments that only the incoming kernel has with _ext_",
		       in->name, in->pair ? " named " : "", in->pair ?: "");
	if (n > 1)
		refuse(&in->at, "incoming kernel '%s' has the arguments of %u outgoing kernels; choose one, for example with _pair_(\"%s\")",
		       in->name, n, in->out_kernel->name);
	if (in->wins && (in->wins != in->out_kernel->wins ||
			 memcmp(in->win, in->out_kernel->win, sizeof(in->win))))
		refuse(&in->at, "_win_() of incoming kernel '%s' differs from that of outgoing kernel '%s', whose windows it takes",
		       in->name, in->out_kernel->name);
	in->wins = in->out_kernel->wins;
	memcpy(in->win, in->out_kernel->win, sizeof(in->win));
}

/* The description limits the length of names: refuse a longer one. */
static void check_text(const struct where *at, const char *what, const char *s)
{
	if (s && strlen(s) >= DESC_NAME)
		refuse(at, "%s '%.20s...' has %zu characters; the limit is %u", what, s, strlen(s), DESC_NAME - 1);
}

static void read_kernels(struct program *p)
{
	places_t all = 0;
	unsigned int i, j;

	read_functions(p);
	for (i = 0; i < p->net->nr; i++)
		if (p->net->node[i].device)
			all |= (places_t)1 << i;
	for (i = 0; i < p->kernels; i++) {
		struct kernel *k = &p->kernel[i];

		if (!k->net || k->in == k->out)
			refuse(&k->at, "'%s' is no kernel: a kernel has _net_ and either _out_ or _in_", k->name);
		if (k->in && k->places)
			refuse(&k->at, "_at_() of '%s': incoming kernels run at all hosts; remove it", k->name);
		check_text(&k->at, "the name", k->name);
		check_text(&k->at, "_lock_() of", k->lock);
		if (k->nolock && k->lock)
			refuse(&k->at, "'%s' has _nolock_ and _lock_(); remove one", k->name);
		k->anywhere = k->out && !k->places;
		if (k->anywhere)
			k->places = all;
		kernel_args(k, LLVMGetNamedFunction(p->module, k->symbol));
		if (k->in)
			check_decisions(k, LLVMGetNamedFunction(p->module, k->symbol));
		if (!k->out)
			continue;
		if (!k->wins)
			read_bounds(k);
		for (j = 0; j < i; j++) {
			const struct kernel *o = &p->kernel[j];

			if (!o->out || (k->id ? o->id != k->id : strcmp(o->name, k->name)))
				continue;
			if (o->places & k->places)
				refuse(&k->at, "two kernels '%s' are at the same place; the other is in line %u: give them different _at_()",
				       k->name, o->at.line);
			if (o->wins != k->wins || memcmp(o->win, k->win, sizeof(k->win)) || !same_args(k, o))
				refuse(&k->at, "versions of kernel '%s' have different arguments or _win_(); the other is in line %u",
				       k->name, o->at.line);
			k->id = o->id;
		}
		if (!k->id)
			k->id = ++p->out_ids;
		kernel_windows(p, k);
	}
	for (i = j = 0; i < p->kernels; i++)
		if (p->kernel[i].in) {
			pair(p, &p->kernel[i]);
			kernel_windows(p, &p->kernel[i]);
			p->kernel[i].id = p->out_ids + ++j;
		}
	if (!p->out_ids)
		fail(EXIT_REFUSED, "%s: the file has no outgoing kernel; mark a function with _net_ and _out_", options.file);
}

static void finish_map(struct var *v)
{
	if (v->key.size > KEY_MAX || v->value.size > UNIT_MAX ||
	    (v->key.size + 7) / 8 * 8 + (v->value.size + 7) / 8 * 8 > KEY_VALUE_MAX)
		refuse(&v->at, "map '%s' has keys of %u bytes and values of %u; on a card each has at most %u bytes, and the two together %u",
		       v->name, v->key.size, v->value.size, KEY_MAX, KEY_VALUE_MAX);
	v->map = v->ctrl = true;
	v->type = v->value;
}

static bool read_map(struct var *v, di type)
{
	di key = type_member(type, "key_"), value = type_member(type, "value_");
	di entries = type_member(type, "entries_");
	struct var size = { .name = v->name, .at = v->at };
	bool ref;

	if (!key || !value || !entries)
		return false;
	if (!type_pointer(di_operand(key, 3), &v->key, &ref) ||
	    !type_pointer(di_operand(value, 3), &v->value, &ref))
		refuse(&v->at, "map '%s' has keys or values that are neither numbers nor structures", v->name);
	type_dims(di_operand(di_peel(di_operand(entries, 3)), 3), &size);
	v->entries = size.count;
	finish_map(v);
	return true;
}

/* Remove constant tables from the variables: they get no map. */
static void remove_tables(struct program *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->vars; i++)
		if (!is_constant_table(&p->var[i], LLVMGetNamedGlobal(p->module, p->var[i].symbol)))
			p->var[n++] = p->var[i];
	p->vars = n;
}

static void read_vars(struct program *p)
{
	places_t all = 0;
	unsigned int i, j;

	for (i = 0; i < p->net->nr; i++)
		if (p->net->node[i].device)
			all |= (places_t)1 << i;
	remove_tables(p);
	for (i = 0; i < p->vars; i++) {
		struct var *v = &p->var[i];
		LLVMValueRef global = LLVMGetNamedGlobal(p->module, v->symbol);
		LLVMValueRef init = LLVMGetInitializer(global);
		di var = di_of_global(global), type;

		if (!v->net)
			refuse(&v->at, "'%s' has a specifier for variables of the network, but no _net_; add it", v->name);
		check_text(&v->at, "the name", v->name);
		if (!v->places)
			v->places = all;
		for (j = 0; j < i; j++)
			if (!strcmp(p->var[j].name, v->name) && (p->var[j].places & v->places))
				refuse(&v->at, "two variables '%s' are at the same place; the other is in line %u: give them different _at_()",
				       v->name, p->var[j].at.line);
		type = var ? type_dims(di_operand(var, 3), v) : NULL;
		if (!init || LLVMIsThreadLocal(global))
			refuse(&v->at, "'%s' is only declared; define variables of the network in this file", v->name);
		if (!LLVMIsNull(init))
			refuse(&v->at, "'%s' has an initial value; variables of the network start with 0: set it from a host",
			       v->name);
		if (v->lookup) {
			read_table(v, type);
			finish_map(v);
			continue;
		}
		if (!v->dims && type && read_map(v, type))
			continue;
		if (!type || !type_of(type, &v->type))
			refuse(&v->at, "'%s' has elements that are neither numbers nor structures", v->name);
		if (v->type.size > UNIT_MAX)
			refuse(&v->at, "an element of '%s' has %u bytes; on a card a value has at most %u: make an array of each member",
			       v->name, v->type.size, UNIT_MAX);
		if (v->count * v->type.size > UINT32_MAX)
			refuse(&v->at, "'%s' has %llu bytes; the limit is %u", v->name,
			       (unsigned long long)v->count * v->type.size, UINT32_MAX);
	}
}

/* Read the program's own fields of the window: the members of struct ncl_window after 'to'. */
static void read_fields(struct program *p)
{
	LLVMValueRef global = LLVMGetNamedGlobal(p->module, "ncl_window_type_");
	di var = global ? di_of_global(global) : NULL;
	di list = var ? di_operand(di_peel(di_operand(var, 3)), 4) : NULL;
	unsigned int i, off = 0;

	if (!list)
		fail(EXIT_REFUSED, "%s: the file does not include ncl.h", options.file);
	for (i = 5; i < di_operands(list); i++) {
		di member = di_operand(list, i);
		struct field *f = grow(&p->field, &p->fields, sizeof(*f));

		f->name = di_string(member, 2);
		if (!type_of(di_operand(member, 3), &f->type) || f->type.kind == BYTES)
			refuse(NULL, "field '%s' of NCL_WINDOW is no number; a field must be one", f->name);
		f->offset = off = (off + f->type.align - 1) / f->type.align * f->type.align;
		off += f->type.size;
	}
}

void program_check(const struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->kernels; i++)
		if (p->kernel[i].out && !p->kernel[i].places)
			refuse(&p->kernel[i].at, "kernel '%s' runs at no device, because no device has all its variables: give variables and kernels the same _at_()",
			       p->kernel[i].name);
}

void program_read(struct program *p)
{
	annotations(p);
	read_fields(p);
	read_kernels(p);
	read_vars(p);
}
