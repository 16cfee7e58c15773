// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* survey.c - find functions, jump targets and calls before the paths are followed. */
#include <stdlib.h>
#include "alloc.h"
#include "walk.h"

int survey_func_at(const struct walk *w, int insn)
{
	int i;

	for (i = 0; i < w->funcs; i++)
		if (w->func[i].start == insn)
			return i;
	return -1;
}

int survey_callee(const struct walk *w, int insn)
{
	const struct bpf_insn *i = &w->p->insn[insn];

	if (i->code != (BPF_JMP | BPF_CALL) || i->src_reg != BPF_PSEUDO_CALL)
		return -1;
	return survey_func_at(w, insn + 1 + i->imm);
}

static void func_add(struct walk *w, int start)
{
	int i;

	if (start < 0 || start >= w->p->insns || survey_func_at(w, start) >= 0 ||
	    w->funcs == FUNCS)
		return;
	for (i = w->funcs++; i && w->func[i - 1].start > start; i--)
		w->func[i] = w->func[i - 1];
	w->func[i] = (struct func){ .start = start };
}

/* Find the functions, and the instructions at which states are compared. */
static void survey_paths(struct walk *w)
{
	int i, to;

	func_add(w, 0);
	for (i = 0; i < w->p->insns; i++) {
		const struct bpf_insn *insn = &w->p->insn[i];
		uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

		w->info[i].umin_src = w->info[i].umin_dst = UINT64_MAX;
		if (w->cached)
			w->info[i].cache = w->cached[i].cache;
		if (insn->code == (BPF_LD | BPF_IMM | BPF_DW)) {
			i++;
			continue;
		}
		if ((class != BPF_JMP && class != BPF_JMP32) || op == BPF_EXIT)
			continue;
		if (op == BPF_CALL && insn->src_reg == BPF_PSEUDO_CALL) {
			w->info[i].prune = true;
			func_add(w, i + 1 + insn->imm);
		}
		to = op == BPF_CALL ? i + 1 :
		     op == BPF_JA && class == BPF_JMP32 ? i + 1 + insn->imm : i + 1 + insn->off;
		if (op != BPF_JA && op != BPF_CALL)
			w->info[i].prune = true;
		if (to >= 0 && to < w->p->insns)
			w->info[to].prune = w->info[to].jump_target = true;
		if (op == BPF_CALL && insn->src_reg == BPF_PSEUDO_CALL) {
			to = i + 1 + insn->imm;
			if (to >= 0 && to < w->p->insns)
				w->info[to].prune = w->info[to].jump_target = true;
		}
	}
	for (i = 0; i < w->funcs; i++)
		w->func[i].end = i + 1 < w->funcs ? w->func[i + 1].start : w->p->insns;
}

bool moves_packet(uint32_t id)
{
	return id == BPF_FUNC_xdp_adjust_head || id == BPF_FUNC_xdp_adjust_tail ||
	       id == BPF_FUNC_xdp_adjust_meta;
}

static bool func_moves(const struct walk *w, const struct func *f)
{
	int i, callee;

	for (i = f->start; i < f->end; i++) {
		const struct bpf_insn *insn = &w->p->insn[i];

		callee = survey_callee(w, i);
		if (callee >= 0 && w->func[callee].moves)
			return true;
		if (insn->code == (BPF_JMP | BPF_CALL) && !insn->src_reg &&
		    moves_packet(insn->imm))
			return true;
	}
	return false;
}

/* Find functions that move an end of the packet themselves or by a call. */
static void survey_moves(struct walk *w)
{
	bool more = true;
	int i;

	while (more) {
		more = false;
		for (i = 0; i < w->funcs; i++)
			if (!w->func[i].moves && func_moves(w, &w->func[i]))
				more = w->func[i].moves = true;
	}
}

/* Mark all functions that the marked ones call, directly or not. */
static void mark_callees(const struct walk *w, bool *marked)
{
	bool more = true;
	int i, func, callee;

	while (more) {
		more = false;
		for (i = 0, func = 0; i < w->p->insns; i++) {
			func += i == w->func[func].end;
			callee = marked[func] ? survey_callee(w, i) : -1;
			if (callee >= 0 && !marked[callee])
				more = marked[callee] = true;
		}
	}
}

/* Return the first call that is part of a cycle of calls, or -1. */
static int survey_recursion(const struct walk *w)
{
	int i, func, callee;

	for (i = 0, func = 0; i < w->p->insns; i++) {
		bool marked[FUNCS] = { false };

		func += i == w->func[func].end;
		callee = survey_callee(w, i);
		if (callee < 0)
			continue;
		marked[callee] = true;
		mark_callees(w, marked);
		if (marked[func])
			return i;
	}
	return -1;
}

/*
 * Report calls that are too deep, also those that no path reaches: the driver counts the stack
 * of each chain of calls in an array of FRAMES entries.
 */
static void survey_depth(struct walk *w)
{
	bool at[FRAMES][FUNCS] = { { true } };
	int depth, func, i, callee;

	for (depth = 0; depth < FRAMES; depth++)
		for (i = 0, func = 0; i < w->p->insns; i++) {
			func += i == w->func[func].end;
			callee = at[depth][func] ? survey_callee(w, i) : -1;
			if (callee < 0)
				continue;
			if (depth + 1 == FRAMES) {
				issue_add(&w->p->issues, WHY_CALL_DEPTH, i, "calls are nested "
					  "%d functions deep; the limit is %d", FRAMES + 1,
					  FRAMES);
				return;
			}
			at[depth + 1][callee] = true;
		}
}

static void reach(struct reach *r, int to)
{
	if (to < 0 || to >= r->insns || r->reached[to])
		return;
	r->reached[to] = true;
	r->todo[r->count++] = to;
}

void reach_begin(struct reach *r, int insns, int at)
{
	r->reached = xzalloc(insns * sizeof(*r->reached));
	r->todo = xzalloc(insns * sizeof(*r->todo));
	r->count = 0;
	r->insns = insns;
	reach(r, at);
}

void reach_end(struct reach *r)
{
	free(r->reached);
	free(r->todo);
}

void reach_from(struct reach *r, const struct bpf_insn *insn, int at)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	if (insn->code == (BPF_LD | BPF_IMM | BPF_DW)) {
		if (insn->src_reg == BPF_PSEUDO_FUNC)
			reach(r, at + 1 + insn->imm);
		if (at + 1 < r->insns)
			r->reached[at + 1] = true;
		reach(r, at + 2);
		return;
	}
	if ((class != BPF_JMP && class != BPF_JMP32) || (op != BPF_EXIT && op != BPF_JA))
		reach(r, at + 1);
	if ((class != BPF_JMP && class != BPF_JMP32) || op == BPF_EXIT)
		return;
	if (op != BPF_CALL)
		reach(r, at + 1 + (op == BPF_JA && class == BPF_JMP32 ? insn->imm : insn->off));
	else if (insn->src_reg == BPF_PSEUDO_CALL)
		reach(r, at + 1 + insn->imm);
}

/* The verifier refuses instructions that cannot be reached, even if all conditions are ignored. */
static void survey_reach(struct walk *w)
{
	struct reach r;
	int i;

	reach_begin(&r, w->p->insns, 0);
	while (r.count) {
		i = r.todo[--r.count];
		reach_from(&r, &w->p->insn[i], i);
	}
	for (i = 0; i < r.insns && r.reached[i]; i++)
		;
	if (i < r.insns)
		issue_add(&w->p->issues, WHY_VERIFIER, i, "the instruction cannot be reached");
	reach_end(&r);
}

void survey(struct walk *w)
{
	survey_paths(w);
	survey_moves(w);
	w->recursion = survey_recursion(w);
	if (w->recursion < 0)
		survey_depth(w);
	survey_reach(w);
}
