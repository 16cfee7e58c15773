// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Compile the program for each place: the order of the passes. */
#include <unistd.h>

#include "program.h"
#include "flatten.h"
#include "access.h"
#include "layout.h"
#include "arith.h"
#include "lock.h"
#include "lower.h"
#include "emit.h"
#include "explain_place.h"
#include "place.h"

/*
 * Flatten the kernels of a place and collect their accesses to variables. Returns false if a kernel
 * has left the place, see access_collect(); then analyse the place again.
 */
static bool analyse(struct place *at)
{
	unsigned int i;

	at->layout = need(at->p->vars, sizeof(*at->layout));
	at->run = need(at->p->kernels, sizeof(*at->run));
	at->runs = 0;
	for (i = 0; i < at->p->kernels; i++) {
		struct kernel *k = &at->p->kernel[i];

		if (k->out && is_at(k->places, at->node))
			at->run[at->runs++].k = k;
	}
	flatten(at);
	for (i = 0; i < at->p->vars; i++) {
		at->layout[i].var = &at->p->var[i];
		at->layout[i].here = is_at(at->p->var[i].places, at->node);
		at->layout[i].global = LLVMGetNamedGlobal(at->module, at->p->var[i].symbol);
	}
	at->layouts = at->p->vars;
	return access_collect(at);
}

static void compile(struct place *at)
{
	unsigned int i;

	while (!analyse(at))
		;
	while (!layout_decide(at))
		access_collect(at);
	for (i = 0; i < at->runs; i++)
		arith(at->run[i].fn);
	lock_decide(at);
	lower(at);
	at->object = temp_path(text("%s.%d.o", at->label, getpid()));
	emit_object(at);
}

bool compile_places(struct program *p)
{
	unsigned int i;

	p->place = need(p->net->nr, sizeof(*p->place));
	p->places = 0;
	for (i = 0; i < p->net->nr; i++) {
		struct place *at = &p->place[p->places];

		if (!p->net->node[i].device)
			continue;
		if (i >= PLACES_MAX)
			fail(EXIT_REFUSED, "%s: device \"%s\" is node %u; devices must be among the first %u nodes: move the line up",
			     options.net, p->net->node[i].label, i + 1, PLACES_MAX);
		*at = (struct place){ .p = p, .node = i + 1, .label = p->net->node[i].label };
		compile(at);
		p->places++;
		if (!explain_object(at))
			return false;
	}
	if (!p->places)
		fail(EXIT_REFUSED, "%s: the file has no device; add a line \"device LABEL ADDRESS\"", options.net);
	program_check(p);
	return true;
}
