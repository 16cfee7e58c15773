// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tails.c - find the programs to which the tail calls of each program may lead. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "linker.h"
#include "scalar.h"

/* Argument of tail_seen(): the program whose paths are followed */
struct follow {
	struct link *l;
	struct lprog *prog;
};

static struct tail *tail_get(struct lprog *p, int insn, int map, unsigned int slots)
{
	struct tail *t;
	unsigned int i;

	for (i = 0; i < p->tails; i++)
		if (p->tail[i].insn == insn)
			return &p->tail[i];
	p->tail = xrealloc(p->tail, (p->tails + 1) * sizeof(*p->tail));
	t = &p->tail[p->tails++];
	*t = (struct tail){ .insn = insn, .map = map, .least = UINT32_MAX };
	t->may = xzalloc(slots * sizeof(*t->may));
	return t;
}

/* Whether the index may be @slot. The kernel uses the lower half of the index. */
static bool index_may_be(const struct scalar *index, uint32_t slot)
{
	if (!index)
		return true;
	return slot >= index->umin32 && slot <= index->umax32 &&
	       !(((uint32_t)index->bits.value ^ slot) & ~(uint32_t)index->bits.unknown);
}

static void tail_seen(void *arg, int insn, int map, const struct scalar *index)
{
	struct follow *f = arg;
	bool array = map >= 0 && f->l->array[map].prog;
	unsigned int slots = array ? f->l->array[map].slots : 0, i;
	struct tail *t = tail_get(f->prog, insn, map, slots);
	uint32_t least = index ? index->umin32 : 0, most = index ? index->umax32 : UINT32_MAX;

	if (t->map != map || !array) {
		t->map = -1;
		return;
	}
	t->least = least < t->least ? least : t->least;
	t->most = most > t->most ? most : t->most;
	for (i = least; i < slots && i <= most; i++)
		t->may[i] |= index_may_be(index, i);
}

/* Fail with the reason why the paths of a program cannot be followed to their ends. */
static int follow_fail(struct link *l, int prog)
{
	const struct issues *list = &l->prog[prog].p->issues;
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (list->issue[i].why == WHY_VERIFIER || list->issue[i].why == WHY_COMPLEX)
			return link_fail_at(l, -EOPNOTSUPP, prog, list->issue[i].insn,
					    "the program cannot be followed to its tail calls: %s",
					    list->issue[i].text);
	return link_fail_at(l, -EOPNOTSUPP, prog, -1, "the program cannot be followed");
}

static int tail_check(struct link *l, int prog, const struct tail *t)
{
	const char *map;

	if (t->map < 0)
		return link_fail_at(l, -EOPNOTSUPP, prog, t->insn, "the prog array of this tail call is "
				    "not known, or not the same on all paths: the compiler may have merged "
				    "several calls (asm volatile(\"\") between them prevents this)");
	map = l->o->map[t->map].name;
	if (!l->array[t->map].told)
		return link_fail_at(l, -EINVAL, prog, t->insn, "the contents of prog array %s are not "
				    "given: use .values of its definition, --slot %s:INDEX=PROG, or --slot "
				    "%s:none if it is empty. A linked program has no prog array that could "
				    "be updated at run time: nfpchan xdp replace links again, and replaces "
				    "the program under traffic", map, map, map);
	return 0;
}

static int follow_prog(struct link *l, int prog)
{
	struct lprog *p = &l->prog[prog];
	struct follow f = { .l = l, .prog = p };
	unsigned int i;
	int ret = 0;

	if (!p->p->insns)
		return link_fail(l, -EOPNOTSUPP, "program %s is in section \"%s\": only XDP programs can be "
				 "linked", p->p->name, p->p->section);
	p->funcs = prog_tail_calls(l->o, p->p, tail_seen, &f, &p->stack);
	if (p->funcs < 0)
		ret = follow_fail(l, prog);
	issues_free(&p->p->issues);
	for (i = 0; !ret && i < p->tails; i++)
		ret = tail_check(l, prog, &p->tail[i]);
	return ret;
}

static void reach_tails(struct link *l, const struct lprog *p)
{
	unsigned int i, slot;
	int to;

	for (i = 0; i < p->tails; i++)
		for (slot = 0; slot < l->array[p->tail[i].map].slots; slot++) {
			to = link_slot(l, &p->tail[i], slot);
			if (to >= 0)
				l->prog[to].reached = true;
		}
}

/* Follow all programs that can be reached from the entry. Other programs are not looked at. */
int link_tails(struct link *l)
{
	bool more = true;
	int prog, ret;

	l->prog[l->entry].reached = true;
	while (more) {
		more = false;
		for (prog = 0; prog < l->progs; prog++) {
			struct lprog *p = &l->prog[prog];

			if (!p->reached || p->stack)
				continue;
			more = true;
			ret = follow_prog(l, prog);
			if (ret)
				return ret;
			reach_tails(l, p);
		}
		for (prog = 0; prog < l->progs; prog++)
			if (l->prog[prog].reached && l->prog[prog].next >= 0 &&
			    !l->prog[l->prog[prog].next].reached)
				more = l->prog[l->prog[prog].next].reached = true;
	}
	return 0;
}

const struct tail *link_tail(const struct link *l, int prog, int insn)
{
	const struct lprog *p = &l->prog[prog];
	unsigned int i;

	for (i = 0; i < p->tails; i++)
		if (p->tail[i].insn == insn)
			return &p->tail[i];
	return NULL;
}

int link_slot(const struct link *l, const struct tail *t, unsigned int slot)
{
	const struct prog_array *a = &l->array[t->map];

	return t->may[slot] && a->prog[slot] >= 0 ? link_target(l, a->prog[slot]) : -1;
}
