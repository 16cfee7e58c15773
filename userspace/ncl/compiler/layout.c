// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * How a variable lies in a map. An access costs a look-up, so several elements share an
 * element of the map where the index lets them: its size divides all strides, so that what
 * is left of an address is constant.
 */
#include <stdlib.h>
#include <string.h>

#include "nclc.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

static int64_t floor_mod(int64_t a, int64_t b)
{
	return (a % b + b) % b;
}

/* No access lies across the border of two units. */
static bool fits(const struct place *at, const struct layout *l, unsigned int unit)
{
	unsigned int i, j;

	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			const struct access *a = &at->run[i].access[j];

			if (a->of == l && floor_mod(a->offset, unit) + a->width > unit)
				return false;
		}
	return true;
}

static uint64_t strides(const struct place *at, const struct layout *l)
{
	uint64_t g = 0;
	unsigned int i, j, t;

	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			const struct access *a = &at->run[i].access[j];

			for (t = 0; a->of == l && t < a->terms; t++)
				g = gcd(g, llabs(a->term[t].stride));
		}
	return g;
}

/*
 * Copies of several elements may be one access, which lies across units: it becomes one
 * for each element. True if there was one.
 */
static bool split(struct place *at, const struct layout *l)
{
	unsigned int i, j, piece = l->var->type.kind == BYTES ? 1 : l->var->type.size;
	bool any = false;

	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			const struct access *a = &at->run[i].access[j];

			if (a->of == l && a->width > piece && a->width % piece == 0) {
				access_split(a, piece);
				any = true;
			}
		}
	return any;
}

static bool same_address(const struct access *a, const struct access *b)
{
	return a->of == b->of && a->offset == b->offset && a->width == b->width && a->terms == b->terms &&
	       !memcmp(a->term, b->term, a->terms * sizeof(*a->term));
}

static LLVMValueRef only_user(LLVMValueRef v)
{
	LLVMUseRef u = LLVMGetFirstUse(v);

	return u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
}

/* The store of a sum whose first part is what @load has read there, and is nothing else's */
static struct access *adds_to(struct run *r, const struct access *load)
{
	LLVMValueRef sum = only_user(load->inst), store = sum ? only_user(sum) : NULL;
	unsigned int i;
	bool minus;

	if (!store || !LLVMIsAStoreInst(store) || !LLVMIsABinaryOperator(sum) ||
	    LLVMGetInstructionParent(store) != LLVMGetInstructionParent(load->inst))
		return NULL;
	minus = LLVMGetInstructionOpcode(sum) == LLVMSub;
	if (!(LLVMGetInstructionOpcode(sum) == LLVMAdd || (minus && LLVMGetOperand(sum, 0) == load->inst)))
		return NULL;
	for (i = 0; i < r->accesses; i++)
		if (r->access[i].inst == store)
			return same_address(load, &r->access[i]) ? &r->access[i] : NULL;
	return NULL;
}

/* Kernels only add to words of it: the card and the host have an instruction for that. */
static bool only_added_to(struct place *at, const struct layout *l)
{
	unsigned int i, j, loads = 0, stores = 0;

	if (l->var->type.size != 4 && l->var->type.size != 8)
		return false;
	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			struct access *a = &at->run[i].access[j], *s;

			if (a->of != l)
				continue;
			if (a->store) {
				stores++;
				continue;
			}
			s = a->width == l->var->type.size ? adds_to(&at->run[i], a) : NULL;
			if (!s)
				return false;
			s->pair = a;
			loads++;
		}
	return loads && loads == stores;
}

/*
 * Of [M][N], M is constant wherever it is accessed: transposed, elements of a column are
 * beside each other, and share an element of the map.
 */
static bool can_transpose(const struct place *at, const struct layout *l)
{
	unsigned int i, j;

	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			const struct access *a = &at->run[i].access[j];

			if (a->of == l && (a->width > l->var->type.size || a->row < 0))
				return false;
		}
	return true;
}

static void transpose(struct place *at, struct layout *l, int64_t row)
{
	int64_t m = l->var->dim[0], size = l->var->type.size;
	unsigned int i, j, t;

	for (i = 0; i < at->runs; i++)
		for (j = 0; j < at->run[i].accesses; j++) {
			struct access *a = &at->run[i].access[j];
			int64_t in_row = a->offset - a->row * row, within = floor_mod(in_row, size);

			if (a->of != l)
				continue;
			a->offset = (in_row - within) * m + a->row * size + within;
			for (t = 0; t < a->terms; t++)
				a->term[t].stride *= m;
		}
	l->columns = true;
}

static bool decide(struct place *at, struct layout *l)
{
	const struct var *v = l->var;
	uint64_t size = v->count * v->type.size, g = strides(at, l) ?: size;
	uint64_t row = v->dims > 1 ? size / v->dim[0] : 0;
	unsigned int unit;

	l->adds = only_added_to(at, l);
	if (row && v->dim[0] > 1 && g == v->type.size && can_transpose(at, l)) {
		transpose(at, l, row);
		g *= v->dim[0];
	}
	for (unit = UNIT_MAX / v->type.size * v->type.size; unit; unit -= v->type.size)
		if (g % unit == 0 && fits(at, l, unit))
			break;
	if (!unit && split(at, l))
		return false;
	if (!unit)
		refuse(&v->at, "'%s' is accessed across its elements of %u bytes; access elements, or their members",
		       v->name, v->type.size);
	l->unit = unit;
	l->entries = (size + unit - 1) / unit;
	return true;
}

/* Names of maps have 15 bytes in the kernel. */
static void name_map(struct place *at, unsigned int n)
{
	struct layout *l = &at->layout[n];
	unsigned int i, k = 0;

	snprintf(l->map, sizeof(l->map), "%s%s", strncmp(l->var->name, "ncl_", 4) ? "" : "_", l->var->name);
	for (i = 0; i < n; i++)
		if (!strcmp(at->layout[i].map, l->map)) {
			snprintf(l->map, sizeof(l->map), "%.11s_%u", l->var->name, ++k);
			i = -1;
		}
}

bool layout_decide(struct place *at)
{
	unsigned int i;

	for (i = 0; i < at->layouts; i++) {
		struct layout *l = &at->layout[i];

		if (!l->here)
			continue;
		name_map(at, i);
		if (!l->var->map && !decide(at, l))
			return false;
	}
	return true;
}
