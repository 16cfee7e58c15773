// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Kernels: their arguments, the layout of their windows, and their numbers. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "ncp.h"
#include "di.h"
#include "types.h"
#include "netcl.h"
#include "annotate.h"
#include "bounds.h"
#include "kernels.h"

static void kernel_args(struct kernel *k, LLVMValueRef fn)
{
	di sub = LLVMGetSubprogram(fn);
	di function = sub ? di_operand(sub, DI_FUNCTION_TYPE) : NULL;
	di types = di_operand(function, DI_FUNCTION_TYPES);
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
		di type = di_operand(types, i + 1);	/* after the type of the result */

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

/* Lay out a window of @k: its arguments after the fields that all windows of the program have. */
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

/* Check the specifiers of @k, and set its places if it has no _at_(). */
static void read_specifiers(const struct program *p, struct kernel *k)
{
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
		k->places = all_devices(p->net);
}

/* Number the outgoing kernel @k. If versions of it are before @k in the list, share their number. */
static void number(struct program *p, struct kernel *k)
{
	const struct kernel *o;

	for (o = p->kernel; o < k; o++) {
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
}

/* Incoming kernels take windows of outgoing kernels, so read these first. */
void kernels_read(struct program *p)
{
	struct kernel *k, *end;
	unsigned int ins = 0;

	read_functions(p);
	end = p->kernel + p->kernels;
	for (k = p->kernel; k < end; k++) {
		LLVMValueRef fn = LLVMGetNamedFunction(p->module, k->symbol);

		read_specifiers(p, k);
		kernel_args(k, fn);
		if (k->in) {
			check_decisions(k, fn);
			continue;
		}
		if (!k->wins)
			read_bounds(k);
		number(p, k);
		kernel_windows(p, k);
	}
	for (k = p->kernel; k < end; k++)
		if (k->in) {
			pair(p, k);
			kernel_windows(p, k);
			k->id = p->out_ids + ++ins;
		}
	if (!p->out_ids)
		fail(EXIT_REFUSED, "%s: the file has no outgoing kernel; mark a function with _net_ and _out_", options.file);
}
