// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* walk.c - follow all paths of a program, in the order of the verifier. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "walk.h"

/* ---- steps and links: allocated in chunks, freed at the end of the walk ---- */

#define CHUNK	4096

struct chunk {
	struct chunk *next;
	unsigned int used;
	union {
		struct step step[CHUNK];
		struct links links[CHUNK];
	};
};

static struct chunk *chunk_room(struct chunk **list)
{
	struct chunk *c = *list;

	if (!c || c->used == CHUNK) {
		c = xzalloc(sizeof(*c));
		c->next = *list;
		*list = c;
	}
	return c;
}

static void chunk_free(struct chunk *c)
{
	struct chunk *next;

	for (; c; c = next) {
		next = c->next;
		free(c);
	}
}

struct links *walk_links(struct walk *w)
{
	struct chunk *c = chunk_room(&w->links);

	return &c->links[c->used++];
}

static void step_add(struct walk *w, struct kept *kept)
{
	struct chunk *c = chunk_room(&w->steps);
	struct step *s = &c->step[c->used++];

	s->prev = w->st.step;
	s->kept = kept;
	s->insn = w->st.insn;
	s->frame = w->st.cur;
	w->st.step = s;
	if (w->info[s->insn].jump_target)
		w->st.history++;
}

/* ---- marks ---- */

void walk_precise(struct walk *w, unsigned int n)
{
	struct marks m = { 0 };

	if (cur_regs(&w->st)[n].type != T_SCALAR)
		return;
	m.reg[w->st.cur] = 1 << n;
	precise_mark(w->p, w->o, &w->st, w->st.step, &m);
}

/*
 * The path ends, because its state equals @old. All instructions after @old could follow here
 * as well, so registers that they read or need precisely get the same marks here.
 */
static void take_over(struct walk *w, const struct kept *old)
{
	struct step now = { .prev = w->st.step };
	struct marks m = { 0 };
	unsigned int i, n;
	int fr;

	for (fr = 0; fr <= w->st.cur; fr++) {
		const struct frame *of = old->st.frame[fr];
		struct frame *f = w->st.frame[fr];

		for (i = 0; i < FP; i++) {
			const struct reg *r = &of->reg[i];

			if (i >= (fr < w->st.cur ? 6 : 0) && r->live & LIVE_READ) {
				reg_read(&f->reg[i], r->live & LIVE_READ);
				if (r->live & LIVE_READ64 && f->reg[i].def32)
					w->info[f->reg[i].def32 - 1].zext = true;
			}
			if (r->type == T_SCALAR && r->precise && r->live & LIVE_READ)
				m.reg[fr] |= 1 << i;
		}
		n = of->slots < f->slots ? of->slots : f->slots;
		for (i = 0; i < of->slots; i++) {
			const struct reg *r = &of->slot[i].reg;

			if (i < n && r->live & LIVE_READ)
				reg_read(&f->slot[i].reg, r->live & LIVE_READ);
			if (slot_is_spill(&of->slot[i]) && r->type == T_SCALAR && r->precise &&
			    r->live & LIVE_READ)
				m.slot[fr] |= 1ull << i;
		}
	}
	precise_mark(w->p, w->o, &w->st, &now, &m);
}

/* ---- paths ---- */

struct state *walk_push(struct walk *w, int insn)
{
	struct state *st;

	if (w->pendings == w->pending_room) {
		w->pending_room = w->pending_room ? 2 * w->pending_room : 64;
		w->pending = xrealloc(w->pending, w->pending_room * sizeof(*w->pending));
	}
	st = &w->pending[w->pendings++];
	state_copy(st, &w->st);
	st->insn = insn;
	st->prev_insn = w->st.insn;
	if (st->parent)
		st->parent->branches++;
	return st;
}

/* End the path, and take the next pending one. Return false when there is none. */
static bool walk_pop(struct walk *w)
{
	struct kept *k;

	for (k = w->st.parent; k; k = k->st.parent)
		if (--k->branches)
			break;
	state_free(&w->st);
	if (!w->pendings)
		return false;
	w->st = w->pending[--w->pendings];
	return true;
}

/* Whether enough has changed since the last kept state. The numbers are the verifier's. */
static bool worth_keeping(const struct walk *w)
{
	return w->jumps - w->kept_jumps >= 2 && w->insns - w->kept_insns >= 8;
}

static bool loop_is_young(const struct walk *w)
{
	return w->jumps - w->kept_jumps < 20 && w->insns - w->kept_insns < 100;
}

enum visit {
	VISIT_NEW,
	VISIT_SEEN,
	VISIT_ENDLESS,
};

/* Look for an equal state at this instruction. If there is none, the state may be kept. */
static enum visit visit(struct walk *w, struct kept **kept)
{
	struct kept **at = &w->same[w->st.insn], *k;
	bool force = w->st.history > 40, keep = force || worth_keeping(w);

	while ((k = *at)) {
		if (k->branches) {
			if (state_same(k, &w->st, SAME_EXACT))
				return VISIT_ENDLESS;
			if (!force && loop_is_young(w))
				keep = false;
		} else if (state_same(k, &w->st, w->thorough ? SAME_WITHIN : SAME_PRUNED)) {
			k->hits++;
			take_over(w, k);
			return VISIT_SEEN;
		}
		if (keep)
			k->misses++;
		if (k->misses > 3 * k->hits + 3)
			*at = k->next;
		else
			at = &k->next;
	}
	if (!keep)
		return VISIT_NEW;
	w->kept_jumps = w->jumps;
	w->kept_insns = w->insns;
	k = state_keep(&w->st);
	k->next = w->same[w->st.insn];
	w->same[w->st.insn] = k;
	k->all = w->all;
	w->all = k;
	*kept = k;
	return VISIT_NEW;
}

enum flow walk_refused(struct walk *w, const char *fmt, ...)
{
	const struct issues *list = &w->p->issues;
	char text[160];
	unsigned int i;
	va_list ap;

	/* rules_insn() runs before, and the driver's refusal is the better explanation. */
	for (i = 0; i < list->count; i++)
		if (list->issue[i].insn == w->st.insn &&
		    reasons[list->issue[i].why].severity == SEVERITY_ERROR)
			return FLOW_END;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (w->st.guess)
		issue_add(&w->p->issues, WHY_UNKNOWN, w->st.insn, "on a path that the verifier may "
			  "not follow, %s", text);
	else
		issue_add(&w->p->issues, WHY_VERIFIER, w->st.insn, "%s", text);
	return FLOW_END;
}

static enum flow walk_step(struct walk *w)
{
	struct kept *kept = NULL;

	if (w->st.insn < 0 || w->st.insn >= w->p->insns) {
		w->st.insn = w->st.prev_insn;
		return walk_refused(w, "the program continues after its last instruction");
	}
	if (w->info[w->st.insn].prune) {
		switch (visit(w, &kept)) {
		case VISIT_NEW:
			break;
		case VISIT_SEEN:
			return FLOW_END;
		case VISIT_ENDLESS:
			return walk_refused(w, "endless loop");
		}
	}
	step_add(w, kept);
	w->info[w->st.insn].seen = true;
	rules_insn(w);
	w->st.prev_insn = w->st.insn;
	return insn_run(w);
}

/* Follow all paths from the start of a function, with its arguments in the registers. */
static void walk_from(struct walk *w, int func)
{
	struct reg *r;
	int i;
	enum arg arg;

	memset(&w->st, 0, sizeof(w->st));
	w->st.frame[0] = frame_new(-1, func, 0);
	w->st.insn = w->func[func].start;
	w->st.prev_insn = w->st.insn;
	r = cur_regs(&w->st);
	if (!func)
		r[1].type = T_CTX;
	/* A global function is verified alone, by the types of its arguments. */
	for (i = 1; i <= 5 && func; i++) {
		arg = object_func_arg(w->o, w->p, w->st.insn, i);
		if (arg == ARG_NUMBER)
			reg_unknown(&r[i]);
		else if (arg != ARG_NONE)
			reg_set(&r[i], arg == ARG_CONTEXT ? T_CTX : T_ANY);
		if (arg == ARG_OTHER)
			issue_add(&w->p->issues, WHY_UNKNOWN, w->st.insn,
				  "argument %d of a global function is neither a number nor the "
				  "context", i);
	}
	for (;;) {
		if (++w->insns > MAX_STEPS) {
			issue_add(&w->p->issues, WHY_COMPLEX, -1,
				  "the verifier gives up after %d instructions of all paths",
				  MAX_STEPS);
			break;
		}
		if (w->pendings > MAX_PENDING) {
			issue_add(&w->p->issues, WHY_COMPLEX, -1,
				  "the verifier gives up with more than %d branches to be followed",
				  MAX_PENDING);
			break;
		}
		if (walk_step(w) == FLOW_END && !walk_pop(w))
			return;
	}
	while (walk_pop(w))
		;
}

void walk_run(struct walk *w)
{
	struct kept *k, *next;
	bool more = true;
	int i;

	w->info = xzalloc(w->p->insns * sizeof(*w->info));
	w->same = xzalloc(w->p->insns * sizeof(*w->same));
	w->head_at = -1;
	survey(w);
	walk_from(w, 0);
	/* Follow the global functions that were called, then those that they call. */
	while (more) {
		more = false;
		for (i = 1; i < w->funcs; i++) {
			if (!w->func[i].called)
				continue;
			w->func[i].called = false;
			if (w->info[w->func[i].start].seen)
				continue;
			walk_from(w, i);
			more = true;
		}
	}
	if (w->recursion >= 0 && !w->deep)
		issue_add(&w->p->issues, WHY_RECURSION, w->recursion, "a function calls itself: "
			  "the driver follows the calls without end, and overruns the kernel's "
			  "stack");
	for (k = w->all; k; k = next) {
		next = k->all;
		state_free(&k->st);
		free(k);
	}
	chunk_free(w->steps);
	chunk_free(w->links);
	free(w->pending);
	free(w->same);
}
