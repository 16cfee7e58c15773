// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * emit.c - place the instructions that can be reached, and resolve jumps and calls.
 *
 * The verifier refuses unreachable instructions, and functions that nothing calls.
 */
#include <errno.h>
#include <stdlib.h>
#include "alloc.h"
#include "linker.h"

static bool is_jump(const struct bpf_insn *i)
{
	uint8_t class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

static bool is_goto(const struct bpf_insn *i)
{
	return is_jump(i) && BPF_OP(i->code) == BPF_JA;
}

/* Reached nodes whose successors were not looked at yet */
struct todo {
	int *at;
	int count;
};

static void mark(struct lfunc *f, struct todo *t, int n)
{
	if (n >= f->nodes || f->node[n].live)
		return;
	f->node[n].live = true;
	t->at[t->count++] = n;
}

static void mark_from(struct lfunc *f, struct todo *t, struct node *n)
{
	int at = n - f->node;

	if (n->to >= 0)
		mark(f, t, n->to);
	if (is_goto(&n->insn) || n->insn.code == (BPF_JMP | BPF_EXIT))
		return;
	if (is_wide(&n->insn))
		f->node[++at].live = true;
	mark(f, t, at + 1);
}

static void mark_func(struct link *l, int fi)
{
	struct lfunc *f = &l->func[fi];
	struct todo t = { .at = xzalloc(f->nodes * sizeof(*t.at)) };
	int i;

	f->live = true;
	mark(f, &t, 0);
	while (t.count)
		mark_from(f, &t, &f->node[t.at[--t.count]]);
	free(t.at);
	for (i = 0; i < f->nodes; i++)
		if (f->node[i].live && f->node[i].func >= 0 && !l->func[f->node[i].func].live)
			mark_func(l, f->node[i].func);
}

/* Whether a jump leads to the next instruction that is left, so that it can be left out. */
static bool goes_on(const struct lfunc *f, int at)
{
	int i;

	if (!is_jump(&f->node[at].insn) || f->node[at].to <= at)
		return false;
	for (i = at + 1; i < f->node[at].to; i++)
		if (f->node[i].live)
			return false;
	return true;
}

static void place(struct link *l)
{
	int fi, i;

	for (fi = 0; fi < l->funcs; fi++) {
		struct lfunc *f = &l->func[fi];

		f->begin = l->insns;
		for (i = 0; f->live && i < f->nodes; i++)
			f->node[i].live &= !f->node[i].gone;
		for (i = 0; f->live && i < f->nodes; i++) {
			f->node[i].pos = l->insns;
			if (f->node[i].live && goes_on(f, i))
				f->node[i].live = false;
			l->insns += f->node[i].live;
		}
	}
}

static int resolve(struct link *l, const struct lfunc *f, struct node *n)
{
	int by = n->to >= 0 ? f->node[n->to].pos - n->pos - 1 : 0;

	l->from[n->pos] = n;
	if (n->to >= 0 && n->insn.code == (BPF_JMP32 | BPF_JA)) {
		n->insn.imm = by;
	} else if (n->to >= 0) {
		if (by < INT16_MIN || by > INT16_MAX)
			return link_fail_at(l, -E2BIG, n->prog, n->at, "a jump of %d instructions in the "
					    "linked program; the limit is %d", by, INT16_MAX);
		n->insn.off = by;
	}
	l->insn[n->pos] = n->insn;
	if (n->func >= 0)
		l->insn[n->pos].imm = l->func[n->func].begin - n->pos - 1;
	return 0;
}

int link_emit(struct link *l)
{
	int fi, i, ret = 0;

	mark_func(l, 0);
	place(l);
	l->insn = xzalloc(l->insns * sizeof(*l->insn));
	l->from = xzalloc(l->insns * sizeof(*l->from));
	for (fi = 0; fi < l->funcs; fi++)
		for (i = 0; !ret && i < l->func[fi].nodes; i++)
			if (l->func[fi].node[i].live)
				ret = resolve(l, &l->func[fi], &l->func[fi].node[i]);
	return ret;
}
