// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * merge.c - copy the instructions of all programs into one.
 *
 * When a function makes a tail call, the result of the next program is returned to the caller
 * of the function. So each function contains a copy of each program to which its tail calls
 * lead. A function that several programs call is there once.
 *
 * If tail calls are counted, the program keeps the count on its stack, beyond the bytes that
 * its parts use. Functions get the address of the count as an additional argument. The program
 * saves the context in the same way if an extra program runs at its exits.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "linker.h"

/* ---- nodes ---- */

static struct node *node_add(struct lfunc *f, int prog, int at, struct bpf_insn insn)
{
	struct node *n;

	if (f->nodes == f->room) {
		f->room = f->room ? 2 * f->room : 64;
		f->node = xrealloc(f->node, f->room * sizeof(*f->node));
	}
	n = &f->node[f->nodes++];
	*n = (struct node){ .insn = insn, .prog = prog, .at = at, .to = -1, .to_prog = -1,
			    .func = -1, .map = NO_MAP };
	return n;
}

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define LOAD(d, s)		INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, 0, 0)
#define STORE(d, s)		INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, 0, 0)
#define ADD(d, i)		INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define MOV(d, s)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define JUMP			INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0)

/* ---- functions ---- */

/* Compare instructions of two functions. Calls may differ in the distance to the callee. */
static bool same_insn(const struct link *l, int a, int at, int b, int bt)
{
	const struct bpf_insn *i = &l->prog[a].p->insn[at], *j = &l->prog[b].p->insn[bt];
	bool call = link_callee(l, a, at) >= 0;

	return i->code == j->code && i->dst_reg == j->dst_reg && i->src_reg == j->src_reg &&
	       i->off == j->off && (call || i->imm == j->imm);
}

uint32_t link_func_type(const struct link *l, int prog, int n)
{
	const struct xprog *p = l->prog[prog].p;
	uint32_t at = (uint32_t)l->prog[prog].stack[n].start;
	unsigned int i;

	for (i = 0; i < p->func_count; i++)
		if (p->funcs[i].insn_off == at)
			return p->funcs[i].type_id;
	return 0;
}

/* Whether two functions are the same: libbpf copies a function to each program that calls it. */
static bool same_func(const struct link *l, int a, int n, int b, int m)
{
	int at = l->prog[a].stack[n].start, end = link_func_end(l, a, n);
	int bt = l->prog[b].stack[m].start;

	if (a == b)
		return n == m;
	if (link_func_type(l, a, n) != link_func_type(l, b, m) ||
	    link_func_end(l, b, m) - bt != end - at)
		return false;
	for (; at < end; at++, bt++) {
		if (!same_insn(l, a, at, b, bt))
			return false;
		if (link_callee(l, a, at) >= 0 &&
		    !same_func(l, a, link_callee(l, a, at), b, link_callee(l, b, bt)))
			return false;
	}
	return true;
}

static int arguments(const struct link *l, int prog, int n)
{
	const struct btf_type *t = btf__type_by_id(l->o->btf, link_func_type(l, prog, n));

	t = t ? btf__type_by_id(l->o->btf, t->type) : NULL;
	return t && btf_is_func_proto(t) ? btf_vlen(t) : 0;
}

static struct lfunc *func_new(struct link *l)
{
	struct lfunc *f;
	int i;

	l->func = xrealloc(l->func, (l->funcs + 1) * sizeof(*l->func));
	f = &l->func[l->funcs++];
	*f = (struct lfunc){ .prog = -1 };
	f->first = xzalloc(l->progs * sizeof(*f->first));
	for (i = 0; i < l->progs; i++)
		f->first[i] = -1;
	return f;
}

static int func_get(struct link *l, int prog, int n)
{
	struct lfunc *f;
	int i;

	for (i = 1; i < l->funcs; i++)
		if (same_func(l, l->func[i].prog, l->func[i].n, prog, n))
			return i;
	f = func_new(l);
	f->prog = prog;
	f->n = n;
	f->counts = l->counted && link_counts(l, prog, n);
	if (f->counts)
		f->count_arg = 1 + arguments(l, prog, n);
	return l->funcs - 1;
}

/* ---- tail calls ---- */

/* Function @m of program @b is a copy of @n of @a: add what is known of the tail calls of @n. */
static void tails_join(struct link *l, int a, int n, int b, int m)
{
	struct lprog *from = &l->prog[a], *to = &l->prog[b];
	int by = to->stack[m].start - from->stack[n].start;
	unsigned int i, slot;

	for (i = 0; i < from->tails; i++) {
		const struct tail *t = &from->tail[i];
		struct tail *u;

		if (link_func_of(l, a, t->insn) != n)
			continue;
		u = (struct tail *)link_tail(l, b, t->insn + by);
		if (!u) {
			to->tail = xrealloc(to->tail, (to->tails + 1) * sizeof(*to->tail));
			u = &to->tail[to->tails++];
			*u = *t;
			u->insn += by;
			u->may = xzalloc(l->array[t->map].slots * sizeof(*u->may));
		}
		u->least = t->least < u->least ? t->least : u->least;
		u->most = t->most > u->most ? t->most : u->most;
		for (slot = 0; slot < l->array[t->map].slots; slot++)
			u->may[slot] |= t->may[slot];
	}
}

static void tails_share(struct link *l)
{
	int a, b, n, m;

	for (a = 0; a < l->progs; a++)
		for (b = 0; b < l->progs; b++)
			for (n = 1; a != b && l->prog[a].reached && n < l->prog[a].funcs; n++)
				for (m = 1; l->prog[b].reached && m < l->prog[b].funcs; m++)
					if (same_func(l, a, n, b, m))
						tails_join(l, a, n, b, m);
}

/* Return the register that addresses the count: R10 in the program, R4 in other functions. */
static int count_base(struct lfunc *f, int prog, int at)
{
	struct node *n;

	if (f->prog < 0)
		return BPF_REG_10;
	n = node_add(f, prog, at, LOAD(BPF_REG_4, BPF_REG_10));
	n->count = COUNT_OFF;
	return BPF_REG_4;
}

static void count_access(struct lfunc *f, int prog, int at, struct bpf_insn insn)
{
	struct node *n = node_add(f, prog, at, insn);

	n->count = f->prog < 0 ? COUNT_OFF : COUNT_NONE;
}

/*
 * Add a comparison of the index with each filled slot. Return true if the index is always one
 * of these, so that no code can run after the comparisons.
 */
static bool compare(const struct link *l, struct lfunc *f, int prog, const struct tail *t)
{
	unsigned int slot, last = l->array[t->map].slots, filled = 0;
	struct node *n;
	bool all;

	for (slot = 0; slot < l->array[t->map].slots; slot++)
		if (link_slot(l, t, slot) >= 0) {
			filled++;
			last = slot;
		}
	all = filled && filled - 1 == t->most - t->least;
	for (slot = 0; slot < l->array[t->map].slots; slot++) {
		if (link_slot(l, t, slot) < 0)
			continue;
		n = node_add(f, prog, t->insn, all && slot == last ? JUMP :
			     INSN(BPF_JMP32 | BPF_JEQ | BPF_K, BPF_REG_3, 0, 0, (int32_t)slot));
		n->to_prog = link_slot(l, t, slot);
	}
	return all;
}

/* Add a tail call. R1 is the context, R3 the index. R0, R4, R5 are free, as after any call. */
static void tail_add(struct link *l, struct lfunc *f, int prog, const struct tail *t)
{
	int base, over;

	if (!link_finds(l, t))
		return;
	if (!l->counted) {
		compare(l, f, prog, t);
		return;
	}
	base = count_base(f, prog, t->insn);
	count_access(f, prog, t->insn, LOAD(BPF_REG_0, base));
	over = f->nodes;
	node_add(f, prog, t->insn, INSN(BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, 0, 0, TAIL_CALLS - 1));
	node_add(f, prog, t->insn, ADD(BPF_REG_0, 1));
	count_access(f, prog, t->insn, STORE(base, BPF_REG_0));
	if (!compare(l, f, prog, t)) {
		node_add(f, prog, t->insn, ADD(BPF_REG_0, -1));
		count_access(f, prog, t->insn, STORE(base, BPF_REG_0));
	}
	f->node[over].to = f->nodes;
}

/* ---- a part of a function ---- */

static int call_add(struct link *l, int fi, int prog, int at)
{
	int callee = func_get(l, prog, link_callee(l, prog, at)), arg = l->func[callee].count_arg;
	struct lfunc *f = &l->func[fi];
	struct node *n;

	if (arg > BPF_REG_5)
		return link_fail_at(l, -EOPNOTSUPP, prog, at, "a function of 5 arguments with tail calls that "
				    "have to be counted: the address of the count would be the sixth");
	if (arg && f->prog < 0) {
		node_add(f, prog, at, MOV(arg, BPF_REG_10));
		n = node_add(f, prog, at, ADD(arg, 0));
		n->count = COUNT_IMM;
	} else if (arg) {
		n = node_add(f, prog, at, LOAD(arg, BPF_REG_10));
		n->count = COUNT_OFF;
	}
	n = node_add(f, prog, at, l->prog[prog].p->insn[at]);
	n->func = callee;
	return 0;
}

/* Add the load of a 64-bit constant. A prog array is replaced by 0: the result has none. */
static void wide_add(const struct link *l, struct lfunc *f, int prog, int at)
{
	const struct bpf_insn *i = &l->prog[prog].p->insn[at];
	bool map = i->src_reg == BPF_PSEUDO_MAP_IDX || i->src_reg == BPF_PSEUDO_MAP_IDX_VALUE;

	if (map && i->imm >= 0 && l->array[i->imm].prog) {
		node_add(f, prog, at, INSN(BPF_ALU64 | BPF_MOV | BPF_K, i->dst_reg, 0, 0, 0));
		return;
	}
	node_add(f, prog, at, i[0])->map = map ? i->imm : NO_MAP;
	node_add(f, prog, at + 1, i[1]);
}

/* Replace an exit of the program by a jump to the extra program for exits. */
static void leave_add(struct link *l, struct lfunc *f, int prog, int at)
{
	node_add(f, prog, at, LOAD(BPF_REG_1, BPF_REG_10))->count = CTX_OFF;
	node_add(f, prog, at, JUMP)->to_prog = l->leave;
}

/* Add an instruction. Until all nodes exist, a jump to instruction k has node.to = -2 - k. */
static void jump_add(struct lfunc *f, int prog, int at, const struct bpf_insn *i)
{
	struct node *n = node_add(f, prog, at, *i);
	uint8_t class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	if ((class != BPF_JMP && class != BPF_JMP32) || op == BPF_CALL || op == BPF_EXIT)
		return;
	n->to = -2 - (at + 1 + (i->code == (BPF_JMP32 | BPF_JA) ? i->imm : i->off));
}

static int insn_add(struct link *l, int fi, int prog, int at)
{
	const struct bpf_insn *i = &l->prog[prog].p->insn[at];
	const struct tail *t = link_tail(l, prog, at);

	if (is_wide(i) && i->src_reg == BPF_PSEUDO_FUNC)
		return link_fail_at(l, -EOPNOTSUPP, prog, at, "the address of a function cannot be linked");
	if (is_wide(i)) {
		wide_add(l, &l->func[fi], prog, at);
		return 0;
	}
	if (link_callee(l, prog, at) >= 0)
		return call_add(l, fi, prog, at);
	if (!fi && l->leave >= 0 && prog < (int)l->o->progs && i->code == (BPF_JMP | BPF_EXIT))
		leave_add(l, &l->func[0], prog, at);
	else if (t)
		tail_add(l, &l->func[fi], prog, t);
	/* The list has no tail calls that no path reaches. */
	else if (i->code != (BPF_JMP | BPF_CALL) || i->src_reg || i->imm != BPF_FUNC_tail_call)
		jump_add(&l->func[fi], prog, at, i);
	return 0;
}

/* Append function @n of a program to function @fi of the result. */
static int part_add(struct link *l, int fi, int prog, int n)
{
	const struct lprog *p = &l->prog[prog];
	int start = p->stack[n].start, end = link_func_end(l, prog, n), at, i, ret = 0;
	int first = l->func[fi].nodes, *where = xzalloc((end - start + 1) * sizeof(*where));
	struct lfunc *f;

	for (at = start; !ret && at < end; at++) {
		where[at - start] = l->func[fi].nodes;
		ret = insn_add(l, fi, prog, at);
		at += is_wide(&p->p->insn[at]);
	}
	f = &l->func[fi];
	where[end - start] = f->nodes;
	if (!n && p->next >= 0)
		node_add(f, prog, -1, JUMP)->to_prog = p->next;
	for (i = first; i < f->nodes; i++)
		if (f->node[i].to < -1)
			f->node[i].to = where[-2 - f->node[i].to - start];
	if (p->stack[n].stack > f->stack)
		f->stack = p->stack[n].stack;
	free(where);
	return ret;
}

/*
 * Begin a function of the linked program: store on its stack what calls in it overwrite. The entry
 * (a function without a program) stores the context, if code at the end needs it, and the number of
 * tail calls so far, 0. Any other function stores the address of that number, its last argument.
 */
static void func_begin(const struct link *l, struct lfunc *f)
{
	int prog = f->prog;

	if (prog < 0 && l->leave >= 0)
		node_add(f, -1, -1, STORE(BPF_REG_10, BPF_REG_1))->count = CTX_OFF;
	if (!f->counts)
		return;
	if (prog < 0)
		node_add(f, -1, -1, INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0));
	node_add(f, prog, -1, STORE(BPF_REG_10, prog < 0 ? BPF_REG_0 : f->count_arg))->count = COUNT_OFF;
}

static void count_place(struct lfunc *f)
{
	int i, at = -(int)((f->stack + 7) / 8 * 8 + 8), ctx = f->counts ? at - 8 : at;

	for (i = 0; i < f->nodes; i++) {
		if (f->node[i].count == COUNT_OFF)
			f->node[i].insn.off = at;
		else if (f->node[i].count == COUNT_IMM)
			f->node[i].insn.imm = at;
		else if (f->node[i].count == CTX_OFF)
			f->node[i].insn.off = ctx;
	}
}

/* Add the function itself, then each program to which a tail call in it leads. */
static int func_fill(struct link *l, int fi)
{
	int i, prog, ret;

	func_begin(l, &l->func[fi]);
	if (fi) {
		ret = part_add(l, fi, l->func[fi].prog, l->func[fi].n);
	} else {
		l->func[0].first[l->entry] = l->func[0].nodes;
		ret = part_add(l, 0, l->entry, 0);
	}
	for (i = 0; !ret && i < l->func[fi].nodes; i++) {
		prog = l->func[fi].node[i].to_prog;
		if (prog < 0)
			continue;
		if (l->func[fi].first[prog] < 0) {
			l->func[fi].first[prog] = l->func[fi].nodes;
			ret = part_add(l, fi, prog, 0);
		}
		l->func[fi].node[i].to = l->func[fi].first[prog];
	}
	count_place(&l->func[fi]);
	return ret;
}

int link_merge(struct link *l)
{
	int fi, ret = 0;

	tails_share(l);
	func_new(l)->counts = l->counted;
	for (fi = 0; !ret && fi < l->funcs; fi++)
		ret = func_fill(l, fi);
	return ret;
}
