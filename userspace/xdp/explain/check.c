// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* check.c - check a program as a whole: its type, its paths, its size. */
#include <stdlib.h>
#include "alloc.h"
#include "walk.h"

/* Whether the verifier accepts the program. The driver does not see it otherwise. */
static bool walk_complete(const struct xprog *p)
{
	unsigned int i;

	for (i = 0; i < p->issues.count; i++)
		if (p->issues.issue[i].why == WHY_VERIFIER || p->issues.issue[i].why == WHY_COMPLEX)
			return false;
	return true;
}

static bool is_shift(const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);

	return op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
}

/* Return a number for the code that the JIT emits: it depends on the bounds of the operands. */
static unsigned int variant(const struct bpf_insn *insn, const struct insn_info *i)
{
	bool reg = BPF_SRC(insn->code) == BPF_X;

	if (BPF_CLASS(insn->code) == BPF_STX)
		return BPF_MODE(insn->code) == BPF_ATOMIC ? i->add_over + 2 * i->add_within : 0;
	if (BPF_CLASS(insn->code) != BPF_ALU64 && BPF_CLASS(insn->code) != BPF_ALU)
		return 0;
	if (BPF_OP(insn->code) == BPF_MUL)
		return i->umax_dst > UINT16_MAX || (reg && i->umax_src > UINT16_MAX);
	if (!is_shift(insn) || !reg)
		return 0;
	if (i->umin_src == i->umax_src)
		return 4 + i->umin_src % 256;
	if (BPF_CLASS(insn->code) == BPF_ALU)
		return 0;
	return i->umax_src < 32 ? 1 : i->umin_src >= 32 ? 2 : 3;
}

/* Warn of a shift by a variable amount that the JIT translates wrongly. */
static void check_shift(struct xprog *p, int at, const struct insn_info *i)
{
	const struct bpf_insn *insn = &p->insn[at];
	bool whole = BPF_CLASS(insn->code) == BPF_ALU64;

	if ((!whole && BPF_CLASS(insn->code) != BPF_ALU) || BPF_SRC(insn->code) != BPF_X ||
	    !is_shift(insn) || i->umin_src == i->umax_src)
		return;
	if (BPF_OP(insn->code) == BPF_ARSH && i->umax_src > INT32_MAX)
		issue_add(&p->issues, WHY_SHIFT_SIGN, at, "bit 31 of the shift amount may be "
			  "set: the JIT takes it for the sign of the shifted number");
	if (whole && i->umin_src >= 32 && i->umax_src >= 64)
		issue_add(&p->issues, WHY_SHIFT_64, at, "the shift amount may be %llu to %llu: the "
			  "JIT assumes that it is below 64", (unsigned long long)i->umin_src,
			  (unsigned long long)i->umax_src);
}

/* Warn of a 32-bit division: the JIT does not clear the upper half of the result. */
static void check_div(struct xprog *p, int at, const struct insn_info *info)
{
	const struct insn_info *i = &info[at];

	if (i->half && i->zext && (i->half < 0 || !info[i->half - 1].zext))
		issue_add(&p->issues, WHY_DIV_UPPER, at, "the quotient is used as 64 bits, and "
			  "the JIT's division leaves the upper half of r%u as it was",
			  p->insn[at].dst_reg);
}

static void check_event(const struct walk *w, int at, const struct insn_info *i)
{
	const struct bpf_insn *insn = &w->p->insn[at];
	const struct xmap *m = &w->o->map[i->event_map];
	uint32_t j;

	if (insn->code != (BPF_JMP | BPF_CALL) || insn->src_reg ||
	    insn->imm != BPF_FUNC_perf_event_output || !i->called || i->arg_type != T_VALUE)
		return;
	for (j = 0; j < (m->value_size + 3) / 4 && m->words; j++)
		if (m->words[j].use == USE_ATOMIC) {
			issue_add(&w->p->issues, WHY_EVENT_COUNTERS, at, "the data of the event have "
				  "counters of map %s, in the card's byte order", m->name);
			return;
		}
}

static void check_head(const struct walk *w, int at, const struct insn_info *i)
{
	if (i->unchecked && w->head_at == at)
		issue_add(&w->p->issues, WHY_HEAD_UNCHECKED, at, "the JIT emits no length check "
			  "here; a packet that was shortened before may be too short");
}

static void check_insns(const struct walk *w, const struct insn_info *info)
{
	int at;

	for (at = 0; at < w->p->insns; at++) {
		if (!info[at].seen)
			continue;
		check_shift(w->p, at, &info[at]);
		check_div(w->p, at, info);
		check_event(w, at, &info[at]);
		check_head(w, at, &info[at]);
	}
}

/* Add to @w what the second walk has found on paths that the verifier skips. */
static void check_pruned(const struct walk *w, const struct walk *all)
{
	const struct issues *found = &all->p->issues;
	struct issues *to = &w->p->issues;
	unsigned int i;
	int at;

	for (i = 0; i < found->count; i++) {
		const struct issue *is = &found->issue[i];

		if (reasons[is->why].severity == SEVERITY_ERROR)
			issue_add(to, WHY_PRUNED, is->insn, "on a path that the verifier skips, %s", is->text);
		else
			issue_add(to, is->why, is->insn, "%s", is->text);
	}
	for (at = 0; at < w->p->insns; at++)
		if (w->info[at].seen && variant(&w->p->insn[at], &w->info[at]) !=
					variant(&w->p->insn[at], &all->info[at]))
			issue_add(to, WHY_PRUNED, at, "the JIT assumes r%u in %llu to %llu, "
				  "r%u in %llu to %llu, but a skipped path may exceed this", w->p->insn[at].dst_reg,
				  (unsigned long long)w->info[at].umin_dst,
				  (unsigned long long)w->info[at].umax_dst,
				  w->p->insn[at].src_reg,
				  (unsigned long long)w->info[at].umin_src,
				  (unsigned long long)w->info[at].umax_src);
}

/*
 * Walk again, and skip only paths whose values are all covered by an earlier path. A walk that
 * takes too long reports nothing.
 */
static void walk_all(struct walk *w)
{
	struct walk *all = xzalloc(sizeof(*all));
	struct xprog copy = *w->p;

	copy.issues = (struct issues){ 0 };
	all->o = w->o;
	all->p = &copy;
	all->limits = w->limits;
	all->thorough = true;
	all->cached = w->info;
	walk_run(all);
	if (walk_complete(&copy))
		check_pruned(w, all);
	check_insns(w, walk_complete(&copy) ? all->info : w->info);
	issues_free(&copy.issues);
	free(all->info);
	free(all);
}

static void check_size(struct walk *w)
{
	struct xprog *p = w->p;
	unsigned int words = size_count(w);

	if (p->stack > w->limits->stack)
		issue_add(&p->issues, WHY_STACK_SIZE, -1,
			  "%u bytes of stack in all frames, the card has %u", p->stack,
			  w->limits->stack);
	if (issues_worst(&p->issues) >= SEVERITY_UNKNOWN)
		return;		/* the count holds only for a program that loads */
	p->words = words;
	if (words > w->limits->words)
		issue_add(&p->issues, WHY_TOO_LONG, -1,
			  "%u microengine instructions; the card has room for %u for each port",
			  words, w->limits->words);
}

int prog_tail_calls(struct xobject *o, struct xprog *p, tail_call_fn fn, void *arg,
		    struct func_stack **stack)
{
	struct walk *w = xzalloc(sizeof(*w));
	int i, funcs;

	w->o = o;
	w->p = p;
	w->limits = &o->limits;
	w->tail = fn;
	w->tail_arg = arg;
	walk_run(w);
	funcs = walk_complete(p) ? w->funcs : -1;
	*stack = xzalloc(w->funcs * sizeof(**stack));
	for (i = 0; i < w->funcs; i++)
		(*stack)[i] = (struct func_stack){ w->func[i].start, w->func[i].stack };
	free(w->info);
	free(w);
	return funcs;
}

void prog_check(struct xobject *o, struct xprog *p)
{
	struct walk *w;

	if (p->type == BPF_PROG_TYPE_SCHED_CLS) {
		issue_add(&p->issues, WHY_PROGRAM_TC, -1,
			  "section \"%s\" is of type tc: not examined", p->section);
		return;
	}
	if (p->type != BPF_PROG_TYPE_XDP) {
		issue_add(&p->issues, WHY_PROGRAM_TYPE, -1, "section \"%s\" is not of type xdp",
			  p->section);
		return;
	}
	if (p->special)
		issue_add(&p->issues, WHY_PROGRAM_FLAGS, -1,
			  "section \"%s\" is not for offload", p->section);
	if (!p->insns && !p->special)
		issue_add(&p->issues, WHY_UNKNOWN, -1, "libbpf did not pass on its instructions");
	if (!p->insns)
		return;
	w = xzalloc(sizeof(*w));
	w->o = o;
	w->p = p;
	w->limits = &o->limits;
	walk_run(w);
	p->examined = walk_complete(p);
	if (p->examined) {
		check_size(w);
		if (issues_worst(&p->issues) < SEVERITY_ERROR)
			walk_all(w);
	}
	free(w->info);
	free(w);
}

static enum severity graver(enum severity a, enum severity b)
{
	return a > b ? a : b;
}

/* libbpf creates all maps of an object: a map that the card refuses fails each program. */
enum severity prog_verdict(const struct xobject *o, const struct device *d,
			   const struct xprog *p)
{
	enum severity s = issues_worst(&p->issues);
	unsigned int i;

	for (i = 0; i < o->maps; i++)
		s = graver(s, issues_worst(&o->map[i].issues));
	return d ? graver(s, issues_worst(&d->issues)) : s;
}
