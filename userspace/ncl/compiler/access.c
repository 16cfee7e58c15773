// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Collect the kernels' loads and stores of variables of the network. The address of each is a
 * constant plus a sum of values, each times a constant stride. Refuse every other use of a
 * variable's address.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "di.h"
#include "flatten.h"
#include "access.h"

static LLVMTargetDataRef data_of(struct place *at)
{
	return LLVMGetModuleDataLayout(at->module);
}

static struct run *run_of(struct place *at, LLVMValueRef inst)
{
	LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
	unsigned int i;

	for (i = 0; i < at->runs; i++)
		if (at->run[i].fn == fn)
			return &at->run[i];
	internal("a variable of the network is used outside of kernels, in %s", LLVMGetValueName(fn));
}

static void add_term(struct address *a, LLVMValueRef value, int64_t stride)
{
	unsigned int i;

	for (i = 0; i < a->terms; i++)
		if (a->term[i].value == value) {
			a->term[i].stride += stride;
			return;
		}
	if (a->terms == TERMS_MAX) {
		struct where at = where_inst(value);

		refuse(&at, "an index is a sum of more than %u values; use fewer", TERMS_MAX);
	}
	a->term[a->terms++] = (struct term){ value, stride };
}

static bool constant(LLVMValueRef v, int64_t *c)
{
	if (!LLVMIsAConstantInt(v))
		return false;
	*c = LLVMConstIntGetSExtValue(v);
	return true;
}

static unsigned int bits(LLVMValueRef v)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(v));
}

static void add_index(struct address *a, LLVMValueRef v, int64_t stride);

/*
 * If the instruction @v is a sum, a product or an extension that an address can have, add its
 * operands, in units of @stride bytes. Else return false.
 */
static bool add_operands(struct address *a, LLVMValueRef v, int64_t stride)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	LLVMValueRef y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
	int64_t c;

	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMTrunc:
		break;
	case LLVMZExt:
	case LLVMSExt:
		if (bits(x) < 32)
			return false;
		break;
	case LLVMOr:
		if (!LLVMGetIsDisjoint(v))
			return false;
		/* fall through */
	case LLVMAdd:
		add_index(a, x, stride);
		x = y;
		break;
	case LLVMSub:
		if (!constant(y, &c))
			return false;
		a->offset -= c * stride;
		break;
	case LLVMMul:
		if (!constant(y, &c))
			return false;
		stride *= c;
		break;
	case LLVMShl:
		if (!constant(y, &c) || c > 31)
			return false;
		stride *= (int64_t)1 << c;
		break;
	default:
		return false;
	}
	add_index(a, x, stride);
	return true;
}

/*
 * Add the index @v, in units of @stride bytes, to the address. Split sums and products into terms.
 * Generated code computes a map's key modulo 2^32, so look through extensions and truncations of 32
 * bits and more. If an index overflows 32 bits, the key is the same, or is outside of the variable.
 */
static void add_index(struct address *a, LLVMValueRef v, int64_t stride)
{
	int64_t c;

	if (constant(v, &c))
		a->offset += c * stride;
	else if (!LLVMIsAInstruction(v) || bits(v) < 32 || !add_operands(a, v, stride))
		add_term(a, v, stride);
}

void address_add(struct place *at, struct address *a, LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	unsigned int n = LLVMGetNumOperands(gep), i;

	for (i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);

		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned int m = LLVMConstIntGetZExtValue(index);

			a->offset += LLVMOffsetOfElement(data_of(at), type, m);
			type = LLVMStructGetTypeAtIndex(type, m);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		add_index(a, index, LLVMABISizeOfType(data_of(at), type));
	}
}

/*
 * Find the index of the first dimension (the row). It is known if the GEP still has the form of the
 * source with a constant first index, or if all indices are constants. Otherwise do not compute the
 * row from the constant part of the address: for [m][n - 1] that would give row m - 1, and LLVM may
 * have folded a variable row into n.
 */
static void find_row(struct place *at, struct address *a, LLVMValueRef gep)
{
	const struct var *v = a->of->var;
	unsigned int n = LLVMGetNumOperands(gep), i;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	struct address only = { .of = a->of };
	int64_t c, row;

	a->row = -1;
	if (v->dims < 2)
		return;
	row = v->count / v->dim[0] * v->type.size;
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetArrayLength2(type) == v->dim[0] &&
	    (int64_t)LLVMABISizeOfType(data_of(at), type) == row * v->dim[0] && n > 2 &&
	    constant(LLVMGetOperand(gep, 1), &c) && !c && constant(LLVMGetOperand(gep, 2), &c)) {
		a->row = c;
		return;
	}
	for (i = 1; i < n; i++)
		if (!constant(LLVMGetOperand(gep, i), &c))
			return;
	address_add(at, &only, gep);
	if (only.offset >= 0)
		a->row = only.offset / row;
}

static int by_value(const void *x, const void *y)
{
	const struct term *a = x, *b = y;

	return a->value < b->value ? -1 : a->value > b->value;
}

static void record_access(struct place *at, const struct address *a, LLVMValueRef inst)
{
	struct run *r = run_of(at, inst);
	struct access *x = grow(&r->access, &r->accesses, sizeof(*x));
	LLVMTypeRef type;

	x->store = LLVMIsAStoreInst(inst);
	type = x->store ? LLVMTypeOf(LLVMGetOperand(inst, 0)) : LLVMTypeOf(inst);
	x->inst = inst;
	x->of = a->of;
	memcpy(x->term, a->term, sizeof(x->term));
	x->terms = a->terms;
	qsort(x->term, x->terms, sizeof(*x->term), by_value);
	x->offset = a->offset;
	x->row = a->row;
	x->width = LLVMABISizeOfType(data_of(at), type);
	a->of->used = true;
	if (x->store) {
		struct where where = where_inst(inst);

		a->of->written = true;
		if (a->of->var->ctrl)
			refuse(&where, "a kernel writes '%s', which is _ctrl_: hosts write it, kernels read it",
			       a->of->var->name);
	}
}

/* ---- copies become loads and stores ---- */

static LLVMValueRef byte_at(LLVMBuilderRef b, LLVMValueRef p, int64_t off)
{
	LLVMValueRef i = LLVMConstInt(LLVMInt64Type(), off, true);

	return LLVMBuildInBoundsGEP2(b, LLVMInt8Type(), p, &i, 1, "");
}

/* The width of the loads of a copy: the largest that divides the length and the address */
static unsigned int chunk(const struct address *a, uint64_t len)
{
	unsigned int c = 8, i;

	for (; c > 1; c /= 2) {
		bool fits = len % c == 0 && a->offset % c == 0;

		for (i = 0; i < a->terms; i++)
			fits = fits && a->term[i].stride % c == 0;
		if (fits)
			break;
	}
	return c;
}

static bool is_call(LLVMValueRef inst, const char *name)
{
	LLVMValueRef fn = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;

	return fn && !strncmp(LLVMGetValueName(fn), name, strlen(name));
}

bool copy_is(LLVMValueRef inst)
{
	return is_call(inst, "llvm.memcpy") || is_call(inst, "llvm.memmove") || is_call(inst, "llvm.memset");
}

/* Do all loads before the first store: the memory of memmove() may overlap. */
void copy_expand(LLVMValueRef inst, const struct address *a, uint64_t len)
{
	unsigned int c = chunk(a, len);
	LLVMValueRef to = LLVMGetOperand(inst, 0), from = LLVMGetOperand(inst, 1);
	uint64_t i;
	LLVMTypeRef word = LLVMIntType(8 * c);
	LLVMBuilderRef b = LLVMCreateBuilder();
	LLVMValueRef *v = need(len / c + 1, sizeof(*v)), fill = NULL, s;

	LLVMPositionBuilderBefore(b, inst);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(inst));
	if (is_call(inst, "llvm.memset"))
		fill = LLVMBuildMul(b, LLVMBuildZExt(b, from, word, ""),
				    LLVMConstInt(word, 0x0101010101010101, false), "");
	for (i = 0; i < len / c && !fill; i++)
		v[i] = LLVMBuildLoad2(b, word, byte_at(b, from, i * c), "");
	for (i = 0; i < len / c; i++) {
		s = LLVMBuildStore(b, fill ?: v[i], byte_at(b, to, i * c));
		LLVMSetAlignment(s, c);
	}
	free(v);
	LLVMDisposeBuilder(b);
	LLVMInstructionEraseFromParent(inst);
}

void access_split(const struct access *a, unsigned int piece)
{
	LLVMTypeRef part = LLVMIntType(8 * piece), whole = LLVMIntType(8 * a->width);
	LLVMValueRef p = LLVMGetOperand(a->inst, a->store), x = NULL, v, by;
	LLVMBuilderRef b = LLVMCreateBuilder();
	unsigned int i;

	LLVMPositionBuilderBefore(b, a->inst);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(a->inst));
	for (i = 0; i < a->width; i += piece) {
		by = LLVMConstInt(whole, 8 * i, false);
		if (a->store) {
			v = LLVMBuildLShr(b, LLVMGetOperand(a->inst, 0), by, "");
			LLVMBuildStore(b, LLVMBuildTrunc(b, v, part, ""), byte_at(b, p, i));
			continue;
		}
		v = LLVMBuildZExt(b, LLVMBuildLoad2(b, part, byte_at(b, p, i), ""), whole, "");
		v = LLVMBuildShl(b, v, by, "");
		x = x ? LLVMBuildOr(b, x, v, "") : v;
	}
	if (x)
		LLVMReplaceAllUsesWith(a->inst, x);
	LLVMInstructionEraseFromParent(a->inst);
	LLVMDisposeBuilder(b);
}

/* ---- uses of an address ---- */

static void refuse_use(const struct address *a, LLVMValueRef inst)
{
	struct where at = where_inst(inst);

	if (LLVMIsASelectInst(inst) || LLVMIsAPHINode(inst))
		refuse(&at, "a pointer is '%s' or something else, by a condition; access each in its own branch of an if",
		       a->of->var->name);
	if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
		refuse(&at, "an atomic builtin is used on '%s'; a kernel is atomic as a whole, so use an ordinary operator",
		       a->of->var->name);
	refuse(&at, "the address of '%s' is taken; kernels can only read and write elements of variables of the network",
	       a->of->var->name);
}

/*
 * Walk the uses of the address @a, value @p. With @copies, only expand the first memcpy() and such,
 * and return true if there was one: its expansion has changed the list of uses, so walk again.
 * Without @copies, record all loads and stores, and refuse other uses.
 */
static bool walk(struct place *at, LLVMValueRef p, const struct address *a, bool copies)
{
	LLVMUseRef u;

	for (u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		struct address next = *a;
		struct where where;

		if (!LLVMIsAInstruction(user))
			continue;
		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == p) {
			if (p == a->of->global)
				find_row(at, &next, user);
			address_add(at, &next, user);
			if (walk(at, user, &next, copies))
				return true;
		} else if (copy_is(user)) {
			where = where_inst(user);
			if (!LLVMIsAConstantInt(LLVMGetOperand(user, 2)))
				refuse(&where, "the length of this copy of '%s' is not a constant; use a constant, or window.len with _win_() on the kernel",
				       a->of->var->name);
			if (a->of->var->map)
				refuse_use(a, user);
			copy_expand(user, a, LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2)));
			return true;
		} else if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p &&
						     LLVMGetOperand(user, 0) != p)) {
			if (a->of->var->map)
				refuse_use(a, user);
			if (!copies)
				record_access(at, a, user);
		} else if (is_call(user, "llvm.lifetime") || is_call(user, "llvm.assume")) {
			continue;
		} else if (a->of->var->map && is_call(user, "ncl_map_get_")) {
			a->of->used = true;
		} else {
			refuse_use(a, user);
		}
	}
	return false;
}

/* Sort the accesses into the order of the function's instructions. */
static void sort_accesses(struct run *r)
{
	struct access *sorted = need(r->accesses, sizeof(*sorted));
	unsigned int n = 0, j, left = r->accesses;
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(r->fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i && left; i = LLVMGetNextInstruction(i)) {
			if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
				continue;
			for (j = 0; j < r->accesses; j++)
				if (r->access[j].inst == i)
					sorted[n++] = r->access[j];
		}
	free(r->access);
	r->access = sorted;
	r->accesses = n;
}

/*
 * The place does not have the variable @l. Does a kernel of the place use it? A kernel without
 * _at_() then leaves the place; a kernel with _at_() is an error.
 */
static bool is_elsewhere(struct place *at, const struct layout *l)
{
	LLVMUseRef u = LLVMGetFirstUse(l->global);
	struct where where;
	struct run *r;

	while (u && !LLVMIsAInstruction(LLVMGetUser(u)))
		u = LLVMGetNextUse(u);
	if (!u)
		return false;
	r = run_of(at, LLVMGetUser(u));
	where = where_inst(LLVMGetUser(u));
	if (!r->k->anywhere)
		refuse(&where, "'%s' is not at \"%s\", where kernel '%s' runs: give both the same _at_()",
		       l->var->name, at->label, r->k->name);
	r->k->places &= ~((places_t)1 << (at->node - 1));
	return true;
}

bool access_collect(struct place *at)
{
	unsigned int i;

	for (i = 0; i < at->runs; i++)
		at->run[i].accesses = 0;
	for (i = 0; i < at->layouts; i++) {
		struct layout *l = &at->layout[i];
		struct address a = { .of = l };

		if (!l->global)
			continue;
		expand_constants(l->global);
		if (!l->here && is_elsewhere(at, l))
			return false;
		while (walk(at, l->global, &a, true))
			expand_constants(l->global);
		walk(at, l->global, &a, false);
	}
	for (i = 0; i < at->runs; i++)
		sort_accesses(&at->run[i]);
	return true;
}
