// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* check.c - a program as a whole: its kind, its paths, its size. */
#include <stdlib.h>
#include "alloc.h"
#include "walk.h"

/* The driver sees only programs that the verifier has got through. */
static bool walk_complete(const struct xprog *p)
{
	unsigned int i;

	for (i = 0; i < p->issues.count; i++)
		if (p->issues.issue[i].why == WHY_VERIFIER || p->issues.issue[i].why == WHY_COMPLEX)
			return false;
	return true;
}

static void check_size(struct walk *w)
{
	struct xprog *p = w->p;
	unsigned int words = size_count(w);

	if (p->stack > w->limits->stack)
		issue_add(&p->issues, WHY_STACK_SIZE, -1,
			  "%u bytes of stack in all frames, the card has %u", p->stack,
			  w->limits->stack);
	if (issues_worst(&p->issues) == SEVERITY_ERROR)
		return;		/* what was refused was not counted */
	p->words = words;
	if (words > w->limits->words)
		issue_add(&p->issues, WHY_TOO_LONG, -1,
			  "%u microengine instructions, a port's share of the card's store is %u",
			  words, w->limits->words);
}

void prog_check(struct xobject *o, struct xprog *p)
{
	struct walk *w;

	if (p->type != BPF_PROG_TYPE_XDP) {
		issue_add(&p->issues, WHY_PROGRAM_TYPE, -1, "section \"%s\" is not of type xdp",
			  p->section);
		return;
	}
	if (p->flags)
		issue_add(&p->issues, WHY_PROGRAM_FLAGS, -1,
			  "section \"%s\" is not for offload", p->section);
	if (!p->insns)
		return;
	w = xzalloc(sizeof(*w));
	w->o = o;
	w->p = p;
	w->limits = &o->limits;
	walk_run(w);
	p->examined = walk_complete(p);
	if (p->examined)
		check_size(w);
	free(w->info);
	free(w);
}
