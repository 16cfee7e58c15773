// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* desc.c - the description of a program: its parts, and the writer. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "desc.h"
#include "desc_names.h"

const char * const desc_kinds[] = { "array", "map", "lookup", NULL };
const char * const desc_layouts[] = { "row", "column", "hash", NULL };

void *desc_grow(void **array, unsigned int *count, size_t size)
{
	char *more = realloc(*array, (*count + 1) * size);

	if (!more)
		return NULL;
	*array = more;
	more += *count * size;
	memset(more, 0, size);
	*count += 1;
	return more;
}

void desc_free(struct desc *d)
{
	if (!d)
		return;
	free(d->node);
	free(d->field);
	free(d->kernel);
	free(d->object);
	free(d->var);
	free(d);
}

unsigned int desc_type_size(const char *type)
{
	static const struct { const char *name; unsigned int size; } types[] = {
		{ "i8", 1 }, { "u8", 1 }, { "bool", 1 }, { "i16", 2 }, { "u16", 2 }, { "i32", 4 },
		{ "u32", 4 }, { "f32", 4 }, { "i64", 8 }, { "u64", 8 }, { "f64", 8 },
	};
	unsigned long n;
	char *end;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i].name))
			return types[i].size;
	if (strncmp(type, "bytes", 5) || type[5] < '1' || type[5] > '9')
		return 0;
	n = strtoul(type + 5, &end, 10);
	return *end || n > UINT16_MAX ? 0 : (unsigned int)n;
}

uint64_t desc_var_count(const struct desc_var *v)
{
	uint64_t n = 1;
	unsigned int i;

	for (i = 0; i < v->dims; i++)
		n *= v->dim[i];
	return n;
}

void desc_var_at(const struct desc_var *v, uint64_t index, uint32_t *key, unsigned int *offset)
{
	if (v->layout == DESC_COLUMN)
		index = index % v->dim[1] * v->dim[0] + index / v->dim[1];
	*key = (uint32_t)(index / v->per);
	*offset = (unsigned int)(index % v->per) * desc_type_size(v->type);
}

const struct desc_kernel *desc_kernel(const struct desc *d, const char *name)
{
	unsigned int i;

	for (i = 0; i < d->kernels; i++)
		if (!strcmp(d->kernel[i].name, name))
			return &d->kernel[i];
	return NULL;
}

const struct desc_kernel *desc_kernel_id(const struct desc *d, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < d->kernels; i++)
		if (d->kernel[i].id == id)
			return &d->kernel[i];
	return NULL;
}

const struct desc_var *desc_var(const struct desc *d, const char *name, const char *place)
{
	unsigned int i;

	for (i = 0; i < d->vars; i++)
		if (!strcmp(d->var[i].name, name) && (!place || !strcmp(d->var[i].place, place)))
			return &d->var[i];
	return NULL;
}

const struct desc_node *desc_node(const struct desc *d, const char *label)
{
	unsigned int i;

	for (i = 0; i < d->nodes; i++)
		if (!strcmp(d->node[i].label, label))
			return &d->node[i];
	return NULL;
}

const struct desc_object *desc_object(const struct desc *d, const char *place, bool card)
{
	const struct desc_object *o;

	for (o = d->object; o < d->object + d->objects; o++)
		if (!strcmp(o->place, place) &&
		    (!*o->target || !strcmp(o->target, card ? "nfp" : "xdp")))
			return o;
	return NULL;
}

/* Write numbers separated by @between; "-" for an empty list. */
static void write_list(FILE *out, const unsigned int *list, unsigned int n, char between)
{
	unsigned int i;

	if (!n)
		fputs(" -", out);
	for (i = 0; i < n; i++)
		fprintf(out, "%c%u", i ? between : ' ', list[i]);
}

static void write_kernel(const struct desc_kernel *k, FILE *out)
{
	const struct desc_arg *a;

	fprintf(out, "kernel %u %s %s %u", k->id, k->name, k->in ? "in" : "out", k->size);
	write_list(out, k->win, k->wins, ',');
	fprintf(out, " %s\n", *k->places ? k->places : "-");
	for (a = k->arg; a < k->arg + k->args; a++)
		fprintf(out, "arg %u %s %s %u %u%s\n", k->id, a->name, a->type, a->count, a->offset,
			a->ext ? " ext" : "");
}

static void write_var(const struct desc_var *v, FILE *out)
{
	fprintf(out, "var %s %s %s %s %s", v->name, v->place, desc_kinds[v->kind],
		v->ctrl ? "ctrl" : "-", v->type);
	write_list(out, v->dim, v->dims, 'x');
	fprintf(out, " %s %s", v->map, desc_layouts[v->layout]);
	if (v->layout == DESC_HASH)
		fprintf(out, " %s %u %u", v->key_type, v->key_size, v->value_size);
	else
		fprintf(out, " %u %u", v->per, v->size);
	if (v->locked)
		fprintf(out, " lock %s\n", v->lock);
	else
		fputs(" -\n", out);
}

void desc_write(const struct desc *d, FILE *out)
{
	const struct desc_object *o;
	const struct desc_field *f;
	const struct desc_node *n;
	unsigned int i;

	fprintf(out, "ncl %u\nprogram %s %04x\n", DESC_VERSION, d->name, d->hash);
	for (n = d->node; n < d->node + d->nodes; n++)
		fprintf(out, "node %u %s %s\n", n->id, n->label, n->device ? "device" : "host");
	for (f = d->field; f < d->field + d->fields; f++)
		fprintf(out, "field %s %s %u\n", f->name, f->type, f->offset);
	for (i = 0; i < d->kernels; i++)
		write_kernel(&d->kernel[i], out);
	for (i = 0; i < d->kernels; i++)
		if (d->kernel[i].pair)
			fprintf(out, "pair %u %u\n", d->kernel[i].id, d->kernel[i].pair);
	for (o = d->object; o < d->object + d->objects; o++)
		fprintf(out, "object %s %s %u %u%s%s\n", o->place, o->file, o->insns, o->words,
			*o->target ? " " : "", o->target);
	for (i = 0; i < d->vars; i++)
		write_var(&d->var[i], out);
}
