// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Choose the layout of a variable in its BPF map. Each access of a map's value costs a look-up, so
 * put several elements of the variable into one value (a unit) where possible. The size of a unit
 * must divide the strides of all accesses: then the offset of each access in its unit is constant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "layout.h"

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

/* Is every access within one unit? */
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

/* Greatest common divisor of the strides of all accesses; 0: all addresses are constant */
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
 * A copy of several elements can be one wide access that crosses units. Split such accesses into one
 * for each element. Returns true if an access was split.
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

/*
 * If the result of @load is used only in a sum or difference, and that only in a store to the
 * address of @load, return the store.
 */
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

/*
 * Do kernels only add to the variable's words? Then the kernels use BPF's atomic add and need no
 * lock.
 */
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
 * Can an array [M][N] be stored by columns? It can if the first index of every access is constant.
 * The M elements of a column are then adjacent and share units.
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

/* Rewrite the addresses of all accesses for storage by columns. @row: bytes of a row */
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

/* Choose the largest unit that works for all accesses. Returns false if accesses were split. */
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
		refuse(&v->at, "an access crosses elements of '%s', which have %u bytes; access single elements or their members",
		       v->name, v->type.size);
	l->unit = unit;
	l->entries = (size + unit - 1) / unit;
	return true;
}

/*
 * The kernel limits the name of a map to 15 bytes. Number the names that are equal after they were
 * cut. Names with "ncl_" are those of nclc's own maps.
 */
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
