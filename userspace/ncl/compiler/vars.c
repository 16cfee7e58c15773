// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Variables of the network: their places, types and sizes. */
#include <string.h>

#include "types.h"
#include "netcl.h"
#include "annotate.h"
#include "vars.h"

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
	if (!type_pointer(di_operand(key, DI_TYPE_BASE), &v->key, &ref) ||
	    !type_pointer(di_operand(value, DI_TYPE_BASE), &v->value, &ref))
		refuse(&v->at, "map '%s' has keys or values that are neither numbers nor structures", v->name);
	/* The member is a pointer to an array, whose dimension is the number of entries. */
	entries = di_peel(di_operand(entries, DI_TYPE_BASE));
	type_dims(di_operand(entries, DI_TYPE_BASE), &size);
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

/* Set the places of @v, and refuse a variable of the same name at one of them. */
static void read_places(const struct program *p, struct var *v)
{
	const struct var *o;

	if (!v->places)
		v->places = all_devices(p->net);
	for (o = p->var; o < v; o++)
		if (!strcmp(o->name, v->name) && (o->places & v->places))
			refuse(&v->at, "two variables '%s' are at the same place; the other is in line %u: give them different _at_()",
			       v->name, o->at.line);
}

static void check_definition(const struct var *v, LLVMValueRef global)
{
	LLVMValueRef init = LLVMGetInitializer(global);

	if (!init || LLVMIsThreadLocal(global))
		refuse(&v->at, "'%s' is only declared; define variables of the network in this file", v->name);
	if (!LLVMIsNull(init))
		refuse(&v->at, "'%s' has an initial value; variables of the network start with 0: set it from a host",
		       v->name);
}

/* Read the type @type of an element of @v, which may be a map or a table. */
static void read_element(struct var *v, di type)
{
	if (v->lookup) {
		read_table(v, type);
		finish_map(v);
		return;
	}
	if (!v->dims && type && read_map(v, type))
		return;
	if (!type || !type_of(type, &v->type))
		refuse(&v->at, "'%s' has elements that are neither numbers nor structures", v->name);
	if (v->type.size > UNIT_MAX)
		refuse(&v->at, "an element of '%s' has %u bytes; on a card a value has at most %u: make an array of each member",
		       v->name, v->type.size, UNIT_MAX);
	if (v->count * v->type.size > UINT32_MAX)
		refuse(&v->at, "'%s' has %llu bytes; the limit is %u", v->name,
		       (unsigned long long)v->count * v->type.size, UINT32_MAX);
}

void vars_read(struct program *p)
{
	struct var *v;

	remove_tables(p);
	for (v = p->var; v < p->var + p->vars; v++) {
		LLVMValueRef global = LLVMGetNamedGlobal(p->module, v->symbol);
		di var = di_of_global(global), type;

		if (!v->net)
			refuse(&v->at, "'%s' has a specifier for variables of the network, but no _net_; add it", v->name);
		check_text(&v->at, "the name", v->name);
		read_places(p, v);
		type = var ? type_dims(di_operand(var, DI_VAR_TYPE), v) : NULL;
		check_definition(v, global);
		read_element(v, type);
	}
}
