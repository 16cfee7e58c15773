// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call.c - calls of helpers and functions, and returns. */
#include "walk.h"

#define SIZE_MAX_ARG	(1 << 29)

static void clear_caller_saved(struct walk *w)
{
	struct reg *r = cur_regs(&w->st);
	unsigned int i;

	for (i = 0; i <= 5; i++) {
		reg_set(&r[i], T_NONE);
		operand_write(w, i, false);
	}
}

/* The packet has moved. For root, the verifier makes an unknown number of each packet pointer. */
static void forget_packet(struct reg *r, void *arg)
{
	(void)arg;
	if (r->type == T_PACKET || r->type == T_META || r->type == T_PACKET_END)
		reg_unknown(r);
}

static enum flow call_func(struct walk *w, const struct bpf_insn *insn)
{
	int start = w->st.insn + 1 + insn->imm, func = survey_func_at(w, start), i;
	struct frame *f, *caller = cur_frame(w);

	if (func < 0)
		return walk_refused(w, "the target of a call is not the start of a function");
	if (object_func_global(w->o, w->p, start)) {
		w->func[func].called = true;
		if (w->func[func].moves)
			state_each(&w->st, forget_packet, NULL);
		clear_caller_saved(w);
		reg_unknown(&caller->reg[0]);
		caller->reg[0].def32 = 0;
		w->st.insn++;
		return FLOW_NEXT;
	}
	if (w->st.cur + 1 == FRAMES) {
		if (w->recursion >= 0)
			issue_add(&w->p->issues, WHY_CALL_DEPTH, w->st.insn, "recursion nests calls "
				  "%d functions deep; the limit is %d",
				  FRAMES + 1, FRAMES);
		w->deep = true;
		return FLOW_END;	/* without recursion, survey_depth() has reported it */
	}
	f = frame_new(w->st.insn, func, w->st.cur + 1);
	for (i = 1; i <= 5; i++)
		f->reg[i] = caller->reg[i];
	clear_caller_saved(w);
	w->st.frame[++w->st.cur] = f;
	w->st.insn = start;
	return FLOW_NEXT;
}

/* ---- helpers ---- */

static bool arg(struct walk *w, unsigned int n)
{
	if (operand_read(w, n, true))
		return true;
	walk_refused(w, "argument %u of the helper was not written", n);
	return false;
}

static bool arg_of(struct walk *w, unsigned int n, enum reg_type type, const char *what)
{
	if (!arg(w, n))
		return false;
	if (cur_regs(&w->st)[n].type == type || cur_regs(&w->st)[n].type == T_ANY)
		return true;
	walk_refused(w, "argument %u of the helper is not %s", n, what);
	return false;
}

static const struct xmap *arg_map(struct walk *w, unsigned int n)
{
	return &w->o->map[cur_regs(&w->st)[n].map];
}

static bool events_map(const struct xmap *m)
{
	return m->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

/* A look-up in such a map returns a map or a socket. The card has no such maps. */
static bool map_of_objects(const struct xmap *m)
{
	return m->type == BPF_MAP_TYPE_ARRAY_OF_MAPS || m->type == BPF_MAP_TYPE_HASH_OF_MAPS ||
	       m->type == BPF_MAP_TYPE_XSKMAP || m->type == BPF_MAP_TYPE_SOCKMAP ||
	       m->type == BPF_MAP_TYPE_SOCKHASH;
}

static bool helper_map(struct walk *w, uint32_t id)
{
	if (!arg_of(w, 1, T_MAP, "a map") || !arg(w, 2))
		return false;
	if (cur_regs(&w->st)[1].type == T_ANY)
		return true;
	if (events_map(arg_map(w, 1))) {
		walk_refused(w, "map %s is a perf event array", arg_map(w, 1)->name);
		return false;
	}
	if (!memory_arg(w, 2, arg_map(w, 1)->key_size))
		return false;
	return id != BPF_FUNC_map_update_elem ||
	       (arg(w, 3) && memory_arg(w, 3, arg_map(w, 1)->value_size) && arg(w, 4));
}

static bool helper_event(struct walk *w)
{
	const struct reg *size = &cur_regs(&w->st)[5];

	if (!arg_of(w, 1, T_CTX, "the context") || !arg_of(w, 2, T_MAP, "a map") || !arg(w, 3) ||
	    !arg(w, 4) || !arg_of(w, 5, T_SCALAR, "a number"))
		return false;
	if (cur_regs(&w->st)[2].type == T_MAP && !events_map(arg_map(w, 2))) {
		walk_refused(w, "map %s is not a perf event array", arg_map(w, 2)->name);
		return false;
	}
	if (w->o->license && !license_gpl(w->o->license)) {
		walk_refused(w, "bpf_perf_event_output() needs a license that is compatible with "
			     "the GPL, not \"%s\"", w->o->license);
		return false;
	}
	if (cur_regs(&w->st)[4].type == T_PACKET) {
		walk_refused(w, "the data of an event are in the packet");
		return false;
	}
	if (size->var.smin < 0 || size->var.umax >= SIZE_MAX_ARG) {
		walk_refused(w, "the size of an event's data has no bound");
		return false;
	}
	if (size->var.umax && !memory_arg(w, 4, size->var.umax))
		return false;
	walk_precise(w, 5);
	return true;
}

/* Follow the path on which the tail call fails: after a successful one this program has ended. */
static bool helper_tail_call(struct walk *w)
{
	const struct reg *map = &cur_regs(&w->st)[2], *index = &cur_regs(&w->st)[3];

	if (!arg_of(w, 1, T_CTX, "the context") || !arg_of(w, 2, T_MAP, "a map") || !arg(w, 3))
		return false;
	walk_precise(w, 3);
	if (w->tail)
		w->tail(w->tail_arg, w->st.insn, map->type == T_MAP ? map->map : -1,
			index->type == T_SCALAR ? &index->var : NULL);
	return true;
}

static bool helper_args(struct walk *w, uint32_t id)
{
	switch (id) {
	case BPF_FUNC_tail_call:
		return helper_tail_call(w);
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_map_delete_elem:
		return helper_map(w, id);
	case BPF_FUNC_xdp_adjust_head:
	case BPF_FUNC_xdp_adjust_tail:
	case BPF_FUNC_xdp_adjust_meta:
		return arg_of(w, 1, T_CTX, "the context") && arg(w, 2);
	case BPF_FUNC_perf_event_output:
		return helper_event(w);
	}
	return true;
}

static enum flow call_helper(struct walk *w, const struct bpf_insn *insn)
{
	struct reg *r0 = &cur_regs(&w->st)[0];
	uint32_t id = insn->imm;
	bool any;
	uint16_t map;

	if (!helper_args(w, id))
		return FLOW_END;
	map = cur_regs(&w->st)[1].map;
	any = cur_regs(&w->st)[1].type != T_MAP || map_of_objects(arg_map(w, 1));
	if (moves_packet(id))
		state_each(&w->st, forget_packet, NULL);
	clear_caller_saved(w);
	r0->def32 = 0;
	switch (id) {
	case BPF_FUNC_map_lookup_elem:
		reg_set(r0, any ? T_ANY : T_VALUE_NULL);
		r0->map = map;
		r0->id = ++w->ids;
		break;
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_map_delete_elem:
	case BPF_FUNC_get_prandom_u32:
	case BPF_FUNC_xdp_adjust_head:
	case BPF_FUNC_xdp_adjust_tail:
	case BPF_FUNC_xdp_adjust_meta:
	case BPF_FUNC_perf_event_output:
		reg_unknown(r0);
		break;
	case BPF_FUNC_tail_call:
		break;		/* a tail call returns nothing */
	default:
		reg_set(r0, T_ANY);
	}
	w->st.insn++;
	return FLOW_NEXT;
}

enum flow call_run(struct walk *w)
{
	const struct bpf_insn *insn = cur_insn(w);

	if (insn->src_reg == BPF_PSEUDO_CALL)
		return call_func(w, insn);
	if (!insn->src_reg)
		return call_helper(w, insn);
	clear_caller_saved(w);
	reg_set(&cur_regs(&w->st)[0], T_ANY);
	w->st.insn++;
	return FLOW_NEXT;
}

enum flow exit_run(struct walk *w)
{
	struct frame *f = cur_frame(w);

	if (!w->st.cur) {
		if (!operand_read(w, 0, true))
			return walk_refused(w, "the program returns nothing");
		return FLOW_END;
	}
	if (f->reg[0].type == T_STACK)
		return walk_refused(w, "a function returns a pointer to the stack");
	w->st.insn = f->callsite + 1;
	w->st.cur--;
	cur_regs(&w->st)[0] = f->reg[0];
	w->st.frame[w->st.cur + 1] = NULL;
	frame_free(f);
	return FLOW_NEXT;
}
