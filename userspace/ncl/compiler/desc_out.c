// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The description of the program, PROG.ncd; common/desc.h has the format. */
#include <stdlib.h>
#include <string.h>

#include "desc.h"
#include "types.h"
#include "desc_out.h"

static void put_places(struct buf *b, const struct program *p, places_t set)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->net->nr; i++)
		if (set >> i & 1)
			put(b, "%s%s", n++ ? "," : "", p->net->node[i].label);
	put(b, n ? "\n" : "-\n");
}

static void put_kernel(struct buf *b, const struct program *p, const struct kernel *k, bool places)
{
	places_t set = 0;
	unsigned int i;
	char type[16];

	/* Print the first version of a kernel, with the places of all versions. */
	for (i = 0; i < p->kernels; i++) {
		const struct kernel *o = &p->kernel[i];

		if (o->id != k->id)
			continue;
		if (o < k)
			return;
		set |= o->places;
	}
	put(b, "kernel %u %s %s %u ", k->id, k->name, k->in ? "in" : "out", k->size);
	for (i = 0; i < k->wins; i++)
		put(b, "%s%u", i ? "," : "", k->win[i]);
	put(b, k->wins ? " " : "- ");
	put_places(b, p, places ? set : 0);
	for (i = 0; i < k->args; i++) {
		const struct param *a = &k->arg[i];

		put(b, "arg %u %s %s %u %u%s\n", k->id, a->name, type_name(&a->type, type),
		    a->ext ? 0 : a->count, a->ext ? 0 : a->offset, a->ext ? " ext" : "");
	}
}

static bool touches(const struct run *r, const struct layout *l)
{
	unsigned int i;

	for (i = 0; i < r->accesses; i++)
		if (r->access[i].of == l)
			return true;
	return false;
}

/*
 * The lock that a host takes to access the variable: the expression of _lock_() without spaces, or 0
 * for a lock without an expression; "-": no lock.
 */
static void put_lock(struct buf *b, const struct place *at, const struct layout *l)
{
	const char *lock = NULL, *s;
	unsigned int i;

	for (i = 0; i < at->runs && l->written && !l->adds; i++)
		if (at->run[i].locked && touches(&at->run[i], l))
			lock = at->run[i].k->lock ?: "0";
	if (!lock) {
		put(b, "-\n");
		return;
	}
	put(b, "lock ");
	for (s = lock; *s; s++)
		if (*s != ' ')
			put(b, "%c", *s);
	put(b, "\n");
}

static void put_var(struct buf *b, const struct place *at, const struct layout *l)
{
	const struct var *v = l->var;
	char type[16], key[16];
	unsigned int i;

	put(b, "var %s %s %s %s %s ", v->name, at->label, v->lookup ? "lookup" : v->map ? "map" : "array",
	    v->ctrl || v->managed ? "ctrl" : "-", type_name(&v->type, type));
	for (i = 0; i < v->dims; i++)
		put(b, "%s%u", i ? "x" : "", v->dim[i]);
	if (v->map)
		put(b, "%llu", (unsigned long long)v->entries);
	put(b, "%s %s ", v->dims || v->map ? "" : "-", l->map);
	if (v->map)
		put(b, "hash %s %u %u ", type_name(&v->key, key), v->key.size, v->value.size);
	else
		put(b, "%s %u %u ", l->columns ? "column" : "row", l->unit / v->type.size, l->unit);
	put_lock(b, at, l);
}

static uint16_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 16777619u;
	h ^= h >> 16;
	return (h & 0xffff) ?: 1;
}

/*
 * Append nodes, fields and kernels, which define the format of windows. The hash is computed without
 * the places of kernels (@places is false), because the format does not depend on them.
 */
static void put_program(struct buf *b, const struct program *p, bool places)
{
	char type[16];
	unsigned int i;

	for (i = 0; i < p->net->nr; i++)
		put(b, "node %u %s %s\n", i + 1, p->net->node[i].label,
		    p->net->node[i].device ? "device" : "host");
	for (i = 0; i < p->fields; i++)
		put(b, "field %s %s %u\n", p->field[i].name, type_name(&p->field[i].type, type),
		    p->field[i].offset);
	for (i = 0; i < p->kernels; i++)
		if (p->kernel[i].out)
			put_kernel(b, p, &p->kernel[i], places);
	for (i = 0; i < p->kernels; i++)
		if (p->kernel[i].in)
			put_kernel(b, p, &p->kernel[i], places);
	for (i = 0; i < p->kernels; i++)
		if (p->kernel[i].in)
			put(b, "pair %u %u\n", p->kernel[i].id, p->kernel[i].out_kernel->id);
}

void program_hash(struct program *p)
{
	struct buf b = { 0 };

	put_program(&b, p, false);
	p->hash = hash(b.s);
	free(b.s);
}

char *description(const struct program *p)
{
	struct buf b = { 0 };
	const struct place *place = p->place;
	unsigned int i, j, places = p->places;

	put(&b, "ncl %u\nprogram %s %04x\n", DESC_VERSION, options.name, p->hash);
	put_program(&b, p, true);
	for (i = 0; i < places; i++)
		put(&b, "object %s %s.%s.o %u %u%s\n", place[i].label, options.name, place[i].label,
		    place[i].insns, place[i].fits_card ? place[i].words : 0, place[i].fits_card ? "" : " xdp");
	for (i = 0; i < places; i++)
		for (j = 0; j < place[i].layouts; j++)
			if (place[i].layout[j].here)
				put_var(&b, &place[i], &place[i].layout[j]);
	return b.s;
}
