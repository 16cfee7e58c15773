// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * graph.c - whether tail calls form a cycle, and how many a packet may make.
 *
 * The kernel permits 33 tail calls for a packet. A further tail call fails, and the program
 * continues after it. The linked program counts tail calls only if there can be more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "linker.h"

#define MANY	(TAIL_CALLS + 1)

/* ---- functions of a program ---- */

int link_func_of(const struct link *l, int prog, int insn)
{
	const struct lprog *p = &l->prog[prog];
	int n = p->funcs - 1;

	while (n > 0 && p->stack[n].start > insn)
		n--;
	return n;
}

int link_func_end(const struct link *l, int prog, int n)
{
	const struct lprog *p = &l->prog[prog];

	return n + 1 < p->funcs ? p->stack[n + 1].start : p->p->insns;
}

int link_callee(const struct link *l, int prog, int insn)
{
	const struct bpf_insn *i = &l->prog[prog].p->insn[insn];

	if (i->code != (BPF_JMP | BPF_CALL) || i->src_reg != BPF_PSEUDO_CALL)
		return -1;
	return link_func_of(l, prog, insn + 1 + i->imm);
}

bool link_finds(const struct link *l, const struct tail *t)
{
	unsigned int slot;

	for (slot = 0; slot < l->array[t->map].slots; slot++)
		if (link_slot(l, t, slot) >= 0)
			return true;
	return false;
}

bool link_counts(const struct link *l, int prog, int n)
{
	int at, end = link_func_end(l, prog, n), callee;
	const struct tail *t;

	for (at = l->prog[prog].stack[n].start; at < end; at++) {
		t = link_tail(l, prog, at);
		if (t && link_finds(l, t))
			return true;
		callee = link_callee(l, prog, at);
		if (callee >= 0 && link_counts(l, prog, callee))
			return true;
	}
	return false;
}

/* ---- cycles ---- */

/**
 * struct way - programs, each of which makes a tail call to the next
 * @prog: the @count programs
 * @done: programs from which no cycle can be reached
 * @insn: the tail call of each program to the next
 */
struct way {
	int *prog, *insn;
	int count;
	bool *done;
};

static int circle_fail(struct link *l, const struct way *w, int to)
{
	char names[1024];
	struct text t = { names, sizeof(names) };
	int i, first = 0;

	while (w->prog[first] != to)
		first++;
	for (i = first; i < w->count; i++)
		text_add(&t, "%s -> ", l->prog[w->prog[i]].p->name);
	text_add(&t, "%s", l->prog[to].p->name);
	return link_fail_at(l, -ELOOP, w->prog[w->count - 1], w->insn[w->count - 1],
			    "tail calls form a cycle: %s. With --loop they are counted, up to "
			    "the kernel's limit of %d for a packet", names, TAIL_CALLS);
}

static int walk_way(struct link *l, struct way *w, int prog);

static int walk_to(struct link *l, struct way *w, int insn, int to)
{
	int i;

	w->insn[w->count - 1] = insn;
	for (i = 0; i < w->count; i++)
		if (w->prog[i] == to)
			return circle_fail(l, w, to);
	return w->done[to] ? 0 : walk_way(l, w, to);
}

static int walk_way(struct link *l, struct way *w, int prog)
{
	const struct lprog *p = &l->prog[prog];
	unsigned int i, slot;
	int ret = 0, to;

	w->prog[w->count++] = prog;
	for (i = 0; i < p->tails; i++)
		for (slot = 0; !ret && slot < l->array[p->tail[i].map].slots; slot++) {
			to = link_slot(l, &p->tail[i], slot);
			if (to >= 0)
				ret = walk_to(l, w, p->tail[i].insn, to);
		}
	if (!ret && p->next >= 0)
		ret = walk_to(l, w, -1, p->next);
	w->count--;
	w->done[prog] = true;
	return ret;
}

/* ---- the number of tail calls ---- */

/*
 * Return the greatest number of tail calls that a function, the functions it calls and the
 * programs after it can make. MANY stands for all numbers above the kernel's limit.
 */
static int most(const struct link *l, int prog, int n, int **known);

static int most_behind(const struct link *l, const struct tail *t, int **known)
{
	int best = 0, to, m;
	unsigned int slot;

	for (slot = 0; slot < l->array[t->map].slots; slot++) {
		to = link_slot(l, t, slot);
		m = to < 0 ? 0 : 1 + most(l, to, 0, known);
		best = m > best ? m : best;
	}
	return best;
}

static bool jumps_back(const struct bpf_insn *i)
{
	uint8_t class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT &&
	       i->off < 0;
}

static int most_in(const struct link *l, int prog, int n, int **known)
{
	const struct lprog *p = &l->prog[prog];
	int at, end = link_func_end(l, prog, n), callee, calls = 0, tails = 0, m;
	const struct tail *t;
	bool loops = false;

	for (at = p->stack[n].start; at < end; at++) {
		loops |= jumps_back(&p->p->insn[at]);
		callee = link_callee(l, prog, at);
		if (callee >= 0)
			calls += most(l, prog, callee, known);
		t = link_tail(l, prog, at);
		m = t ? most_behind(l, t, known) : 0;
		tails = m > tails ? m : tails;
	}
	m = !n && p->next >= 0 ? most(l, p->next, 0, known) : 0;
	tails = m > tails ? m : tails;
	m = calls && loops ? MANY : calls + tails;
	return m > MANY ? MANY : m;
}

static int most(const struct link *l, int prog, int n, int **known)
{
	if (known[prog][n] < 0)
		known[prog][n] = most_in(l, prog, n, known);
	return known[prog][n];
}

static bool too_many(const struct link *l)
{
	int **known = xzalloc(l->progs * sizeof(*known)), i, n;
	bool many;

	for (i = 0; i < l->progs; i++) {
		known[i] = xzalloc((l->prog[i].funcs + 1) * sizeof(**known));
		for (n = 0; n < l->prog[i].funcs; n++)
			known[i][n] = -1;
	}
	many = most(l, l->entry, 0, known) > TAIL_CALLS;
	for (i = 0; i < l->progs; i++)
		free(known[i]);
	free(known);
	return many;
}

int link_graph(struct link *l)
{
	struct way w = {
		.prog = xzalloc(l->progs * sizeof(*w.prog)),
		.insn = xzalloc(l->progs * sizeof(*w.insn)),
		.done = xzalloc(l->progs * sizeof(*w.done)),
	};
	int ret = walk_way(l, &w, l->entry);

	free(w.prog);
	free(w.insn);
	free(w.done);
	if (ret == -ELOOP && l->in->loop) {
		l->counted = true;
		return 0;
	}
	if (!ret)
		l->counted = too_many(l);
	return ret;
}
