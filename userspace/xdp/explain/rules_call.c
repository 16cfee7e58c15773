// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rules_call.c - what the nfp driver refuses at a call to a helper. */
#include "walk.h"

#define issue(w, why, ...)	issue_add(&(w)->p->issues, why, (w)->st.insn, __VA_ARGS__)

#define HEAD_MOST	46	/* ETH_ZLEN - ETH_HLEN: each packet can be shortened by this */
/* A packet begins at byte 136 of its buffer. The card can move the start to bytes 44 to 248. */
#define AHEAD_LEAST	(44 - 136)
#define AHEAD_MOST	(248 - 136)

/* Whether the firmware has the helper that the current instruction calls. */
static bool firmware_has(struct walk *w, enum helper helper)
{
	const char *name = helper_name(cur_insn(w)->imm);

	if (!(w->limits->helpers >> helper & 1)) {
		issue(w, WHY_MISSING, "%s offers no %s()", limits_who(w->limits), name);
		return false;
	}
	if (!*w->limits->firmware && !w->limits->helpers_told &&
	    (helper == HELPER_UPDATE || helper == HELPER_DELETE || helper == HELPER_EVENT))
		issue(w, WHY_FUNC_ASSUMED, "%s() is assumed to be in the firmware", name);
	return true;
}

/* Check a pointer that is passed to the firmware: it must point to the stack, in local memory. */
static bool stack_arg(struct walk *w, unsigned int n, const char *what)
{
	const struct reg *r = &cur_regs(&w->st)[n];

	if (r->type == T_ANY)
		return false;
	if (r->type != T_STACK) {
		issue(w, WHY_KEY_NOT_STACK, "%s of %s() is not on the stack", what,
		      helper_name(cur_insn(w)->imm));
		return false;
	}
	if (!scalar_is_const(&r->var)) {
		issue(w, WHY_STACK_VARIABLE, "%s of %s() is at a variable offset of the stack",
		      what, helper_name(cur_insn(w)->imm));
		return false;
	}
	if ((r->off + (int64_t)r->var.bits.value) % 4) {
		issue(w, WHY_KEY_ALIGN, "%s of %s() is at %lld of the stack: not aligned to 4",
		      what, helper_name(cur_insn(w)->imm),
		      (long long)(r->off + (int64_t)r->var.bits.value));
		return false;
	}
	return true;
}

static void key_arg(struct walk *w, struct insn_info *i)
{
	const struct reg *r = &cur_regs(&w->st)[2];
	int off = r->off + (int)r->var.bits.value;

	if (!stack_arg(w, 2, "the key"))
		return;
	i->key_moves |= i->called && off != i->key_off;
	i->key_off = off;
	i->key_caller |= r->frame != w->st.cur;
}

static bool byte_is_zero(const struct frame *f, int off)
{
	unsigned int at = -off - 1;

	return at / 8 < f->slots && f->slot[at / 8].byte[at % 8] == BYTE_ZERO;
}

/*
 * Note which words of the value may be other than 0. Such words cannot be atomic counters,
 * because the card keeps counters in the opposite byte order.
 */
static void update_value(struct walk *w)
{
	const struct reg *r1 = &cur_regs(&w->st)[1], *r3 = &cur_regs(&w->st)[3];
	const struct frame *f = w->st.frame[r3->frame];
	struct xmap *m = &w->o->map[r1->map];
	int off = r3->off + (int)r3->var.bits.value;
	uint32_t i;

	if (r1->type != T_MAP || off >= 0)
		return;
	if (!f->slots) {
		issue(w, WHY_VALUE_UNWRITTEN, "the value is at %d of the stack, where nothing was "
		      "stored: the driver dereferences a null pointer", off);
		return;
	}
	if (-off > 8 * (int)f->slots) {
		issue(w, WHY_VALUE_BEYOND, "the value is at %d of the stack, and nothing was "
		      "stored below %d: the driver reads unrelated memory", off,
		      -8 * (int)f->slots);
		return;
	}
	if (!m->words || w->thorough)
		return;
	for (i = 0; i < m->value_size && off + (int)i < 0; i++) {
		if (byte_is_zero(f, off + i))
			continue;
		if (m->words[i / 4].use == USE_ATOMIC) {
			issue(w, WHY_COUNTER_UPDATE, "byte %u of the values of map %s is counted "
			      "atomically elsewhere, and may not be 0 here", i, m->name);
			return;
		}
		m->words[i / 4].nonzero = true;
	}
}

static void rule_map(struct walk *w, struct insn_info *i, enum helper helper)
{
	if (!firmware_has(w, helper))
		return;
	key_arg(w, i);
	if (helper == HELPER_UPDATE && stack_arg(w, 3, "the value"))
		update_value(w);
}

#define BYTES_MOST	(1u << 20)	/* limit of the sums: greater than any packet */

static unsigned int add_bytes(unsigned int sum, int64_t by)
{
	if (by <= 0)
		return sum;
	return by > BYTES_MOST || sum + by > BYTES_MOST ? BYTES_MOST : sum + by;
}

/* The verifier knows no bounds of negated numbers and quotients, so only note such an amount. */
static bool amount_unknown(struct walk *w, const struct reg *r)
{
	if (r->type != T_SCALAR || r->var.smin32 != INT32_MIN || r->var.smax32 != INT32_MAX)
		return false;
	issue(w, WHY_AMOUNT, "the packet is resized by an amount without known bounds");
	return true;
}

static int ahead(int64_t by)
{
	return by < AHEAD_LEAST ? AHEAD_LEAST : by > AHEAD_MOST ? AHEAD_MOST : by;
}

/* The card refuses a move beyond the limits. So the start never leaves them on this path. */
static void rule_headroom(struct walk *w, int64_t least, int64_t most)
{
	int64_t low = w->st.low + least, high = w->st.high + most;

	if (low < AHEAD_LEAST)
		issue(w, WHY_HEADROOM, "the start may be moved by %lld bytes in all; the card has "
		      "room for %d", (long long)low, -AHEAD_LEAST);
	else if (high > AHEAD_MOST)
		issue(w, WHY_HEADROOM, "the start may be moved by %lld bytes in all; the card takes "
		      "%d", (long long)high, AHEAD_MOST);
	w->st.low = ahead(low);
	w->st.high = ahead(high);
}

/* The JIT emits no check when a single call moves the start, by a small enough constant. */
static void rule_head(struct walk *w)
{
	const struct reg *r = &cur_regs(&w->st)[2];
	int64_t by = (int32_t)r->var.bits.value;
	/* The driver compares a 64-bit number with a 32-bit one. */
	bool again = w->head_at == w->st.insn && w->head_by == (uint64_t)by;
	bool plain = r->type == T_SCALAR && scalar_is_const(&r->var) && by <= HEAD_MOST &&
		     by <= w->limits->adjust_head.add && by >= -w->limits->adjust_head.sub;

	if (!firmware_has(w, HELPER_HEAD))
		return;
	if (w->head_at != -1 && !again)
		plain = false;
	w->head_at = plain ? w->st.insn : HEAD_ANY;
	w->head_by = r->var.bits.value;
	w->st.cut = add_bytes(w->st.cut, r->var.smax32);
	w->st.back = add_bytes(w->st.back, -(int64_t)r->var.smin32);
	if (plain && (w->st.cut > HEAD_MOST || w->st.back > -AHEAD_LEAST))
		w->info[w->st.insn].unchecked = true;
	if (amount_unknown(w, r))
		return;
	if (r->type == T_SCALAR)
		rule_headroom(w, r->var.smin32, r->var.smax32);
}

static void rule_tail(struct walk *w)
{
	const struct reg *r = &cur_regs(&w->st)[2];

	if (!firmware_has(w, HELPER_TAIL))
		return;
	w->st.cut = add_bytes(w->st.cut, -(int64_t)r->var.smin32);
	if (!amount_unknown(w, r) && r->type == T_SCALAR && r->var.smax32 >= 0)
		issue(w, WHY_TAIL_GROWS, "the end may be moved by 0 bytes or more; on the card "
		      "it can only be cut");
}

static void event_data(struct walk *w, struct insn_info *i)
{
	const struct reg *r = &cur_regs(&w->st)[4];

	switch (r->type) {
	case T_STACK:
		if (!stack_arg(w, 4, "the data"))
			return;
		break;
	case T_VALUE:
		i->event_map = r->map;
		break;
	case T_SCALAR:
	case T_PACKET:
	case T_ANY:
	case T_NONE:
		return;		/* the verifier refuses it, or the type is not known */
	default:
		issue(w, WHY_EVENT_DATA, "the data of the event are neither on the stack nor in a "
		      "map");
		return;
	}
	if (i->called && i->arg_type != r->type)
		issue(w, WHY_EVENT_CHANGES, "the data of the event are on the stack on one path, "
		      "in a map on another");
	i->arg_type = r->type;
}

static void rule_event(struct walk *w, struct insn_info *i)
{
	const struct reg *flags = &cur_regs(&w->st)[3];

	if (!firmware_has(w, HELPER_EVENT))
		return;
	if ((uint32_t)flags->var.bits.unknown ||
	    (uint32_t)flags->var.bits.value != (uint32_t)BPF_F_CURRENT_CPU)
		issue(w, WHY_EVENT_FLAGS, "the flags of the event do not have BPF_F_CURRENT_CPU");
	event_data(w, i);
}

void rules_call(struct walk *w, struct insn_info *i)
{
	const struct bpf_insn *insn = cur_insn(w);
	uint32_t id = insn->imm;

	if (insn->src_reg) {
		issue(w, WHY_KFUNC, "a function of the kernel is called");
		return;
	}
	switch (id) {
	case BPF_FUNC_map_lookup_elem:
		rule_map(w, i, HELPER_LOOKUP);
		break;
	case BPF_FUNC_map_update_elem:
		rule_map(w, i, HELPER_UPDATE);
		break;
	case BPF_FUNC_map_delete_elem:
		rule_map(w, i, HELPER_DELETE);
		break;
	case BPF_FUNC_xdp_adjust_head:
		rule_head(w);
		break;
	case BPF_FUNC_xdp_adjust_tail:
		rule_tail(w);
		break;
	case BPF_FUNC_get_prandom_u32:
		firmware_has(w, HELPER_RANDOM);
		break;
	case BPF_FUNC_perf_event_output:
		rule_event(w, i);
		break;
	case BPF_FUNC_tail_call:
		issue(w, WHY_TAIL_CALL, "a tail call");
		break;
	default:
		issue(w, WHY_HELPER, "the card has no %s()", helper_name(id));
	}
	i->called = true;
}
