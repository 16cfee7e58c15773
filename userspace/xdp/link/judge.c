// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* judge.c - check the linked program against the limits of a card. */
#include <errno.h>
#include <stdlib.h>
#include "alloc.h"
#include "linker.h"

/* List the microengine instructions of each program, the longest program first. */
static void table_add(const struct link *l, const struct xprog *p, struct text *t)
{
	unsigned int *words = xzalloc(l->progs * sizeof(*words)), sum = 0;
	int i, best;

	for (i = 0; i < p->insns && i < l->insns; i++)
		if (l->from[i]->prog >= 0)
			words[l->from[i]->prog] += p->insn_words[i];
	for (;;) {
		for (i = 0, best = 0; i < l->progs; i++)
			best = words[i] > words[best] ? i : best;
		if (!words[best])
			break;
		text_add(t, "\n  %5u  program %s", words[best], l->prog[best].p->name);
		sum += words[best];
		words[best] = 0;
	}
	text_add(t, "\n  %5u  the code around the programs", p->words - sum);
	free(words);
}

static int too_long(struct link *l, const struct xobject *o)
{
	const struct xprog *p = &o->prog[0];
	struct text t = { l->err, sizeof(l->err) };

	text_add(&t, "the linked program has %u microengine instructions, %s has room for %u "
		 "(--words). Programs that need not be on the card can run on the host: "
		 "nfpchan xdp run --split. Of the instructions are", p->words, limits_who(&o->limits),
		 o->limits.words);
	table_add(l, p, &t);
	return -E2BIG;
}

int link_judge(struct link *l, struct xobject *o)
{
	struct xprog *p = &o->prog[0];
	const struct issue *is;
	unsigned int i, m;

	maps_check(o, NULL);
	prog_check(o, p);
	if (p->words > o->limits.words)
		return too_long(l, o);
	for (m = 0; m < o->maps; m++)
		for (i = 0; i < o->map[m].issues.count; i++)
			if (reasons[o->map[m].issues.issue[i].why].severity == SEVERITY_ERROR)
				return link_fail(l, -EOPNOTSUPP, "map %s: %s", o->map[m].name,
						 o->map[m].issues.issue[i].text);
	for (i = 0; i < p->issues.count; i++) {
		is = &p->issues.issue[i];
		if (reasons[is->why].severity != SEVERITY_ERROR)
			continue;
		if (is->insn < 0 || is->insn >= l->insns)
			return link_fail(l, -EOPNOTSUPP, "the linked program: %s", is->text);
		return link_fail_at(l, -EOPNOTSUPP, l->from[is->insn]->prog, l->from[is->insn]->at,
				    "%s", is->text);
	}
	return 0;
}
