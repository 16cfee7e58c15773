// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * What the card will say of an object, by the rules of `nfpchan xdp explain`, and what
 * became of a program, for --explain.
 */
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "nclc.h"

static void complain(const struct place *at, const struct xobject *o, const struct xprog *p,
		     const struct issue *i)
{
	struct line line = { 0 };

	if (p && i->insn >= 0 && object_line(o, p, i->insn, &line))
		fprintf(stderr, "%s:%u: ", line.file, line.number);
	fprintf(stderr, "%s: for a card, at \"%s\": %s\n",
		reasons[i->why].severity >= SEVERITY_UNKNOWN ? "error" : "warning", at->label, i->text);
	if (reasons[i->why].advice)
		fprintf(stderr, "  %s\n", reasons[i->why].advice);
}

static bool complain_all(const struct place *at, const struct xobject *o, const struct xprog *p,
			 const struct issues *list)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (reasons[list->issue[i].why].severity >= SEVERITY_UNKNOWN) {
			complain(at, o, p, &list->issue[i]);
			good = false;
		}
	return good;
}

bool explain_object(struct place *at)
{
	struct xobject o;
	char err[256];
	bool good;
	unsigned int i;

	if (object_open(&o, at->object, err, sizeof(err)) < 0)
		internal("%s: %s", at->object, err);
	o.limits = limits_default;
	maps_check(&o, NULL);
	prog_check(&o, &o.prog[0]);
	at->insns = o.prog[0].insns;
	at->words = o.prog[0].words;
	good = complain_all(at, &o, NULL, &o.issues);
	for (i = 0; i < o.maps; i++)
		good &= complain_all(at, &o, NULL, &o.map[i].issues);
	good &= complain_all(at, &o, &o.prog[0], &o.prog[0].issues);
	object_close(&o);
	return good || !options.card;
}

void explain_print(const struct place *at)
{
	unsigned int i;

	printf("%s: %u BPF instructions, %u words on a card\n", at->label, at->insns, at->words);
	for (i = 0; i < at->runs; i++)
		printf("  kernel %s: %s\n", at->run[i].k->name, at->run[i].why);
}
