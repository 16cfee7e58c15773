// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* state.c - the registers and stacks of a path: copies, kept states, comparison. */
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "state.h"

void reg_copy(struct reg *to, const struct reg *from)
{
	struct reg *parent = to->parent;
	uint8_t live = to->live;

	*to = *from;
	to->parent = parent;
	to->live = live;
}

/* Set the type. Offset and value become 0. */
void reg_set(struct reg *r, enum reg_type type)
{
	r->type = type;
	r->frame = 0;
	r->precise = false;
	r->map = 0;
	r->off = 0;
	r->range = 0;
	r->id = 0;
	scalar_const(&r->var, 0);
}

void reg_unknown(struct reg *r)
{
	reg_set(r, T_SCALAR);
	scalar_any(&r->var);
}

void reg_const(struct reg *r, uint64_t v)
{
	reg_set(r, T_SCALAR);
	scalar_const(&r->var, v);
}

void reg_read(struct reg *r, uint8_t how)
{
	struct reg *p;

	for (; !(r->live & LIVE_WRITTEN) && r->parent; r = p) {
		p = r->parent;
		if ((p->live & LIVE_READ) == how || p->live & LIVE_READ64)
			break;
		p->live |= how;
		if (how == LIVE_READ64)
			p->live &= ~LIVE_READ32;
	}
}

struct frame *frame_new(int callsite, int func, unsigned int index)
{
	struct frame *f = xzalloc(sizeof(*f));
	int i;

	f->callsite = callsite;
	f->func = func;
	for (i = 0; i < REGS; i++)
		reg_set(&f->reg[i], T_NONE);
	f->reg[FP].type = T_STACK;
	f->reg[FP].frame = index;
	return f;
}

void frame_free(struct frame *f)
{
	if (f)
		free(f->slot);
	free(f);
}

void frame_grow(struct frame *f, unsigned int bytes)
{
	unsigned int n = (bytes + 7) / 8;

	if (n <= f->slots)
		return;
	f->slot = xrealloc(f->slot, n * sizeof(*f->slot));
	memset(&f->slot[f->slots], 0, (n - f->slots) * sizeof(*f->slot));
	f->slots = n;
}

void state_copy(struct state *to, const struct state *from)
{
	struct frame *f;
	int i;

	*to = *from;
	for (i = 0; i <= from->cur; i++) {
		f = xzalloc(sizeof(*f));
		*f = *from->frame[i];
		if (f->slots) {
			f->slot = xzalloc(f->slots * sizeof(*f->slot));
			memcpy(f->slot, from->frame[i]->slot, f->slots * sizeof(*f->slot));
		}
		to->frame[i] = f;
	}
	for (; i < FRAMES; i++)
		to->frame[i] = NULL;
}

void state_free(struct state *st)
{
	int i;

	for (i = 0; i <= st->cur; i++)
		frame_free(st->frame[i]);
	memset(st, 0, sizeof(*st));
	st->cur = -1;
}

void state_each(struct state *st, void (*fn)(struct reg *r, void *arg), void *arg)
{
	unsigned int j;
	int i;

	for (i = 0; i <= st->cur; i++) {
		for (j = 0; j < REGS; j++)
			fn(&st->frame[i]->reg[j], arg);
		for (j = 0; j < st->frame[i]->slots; j++)
			if (slot_is_spill(&st->frame[i]->slot[j]))
				fn(&st->frame[i]->slot[j].reg, arg);
	}
}

static void forget_precise(struct reg *r, void *arg)
{
	(void)arg;
	if (r->type == T_SCALAR)
		r->precise = false;
}

/* In the frames of callers, only r6 to r9 keep their values after the call. */
struct kept *state_keep(struct state *st)
{
	struct kept *k = xzalloc(sizeof(*k));
	unsigned int j;
	int i;

	state_each(st, forget_precise, NULL);
	state_copy(&k->st, st);
	k->branches = 1;
	for (i = 0; i <= st->cur; i++) {
		struct frame *f = st->frame[i], *kf = k->st.frame[i];

		for (j = i < st->cur ? 6 : 0; j < FP; j++)
			f->reg[j].parent = &kf->reg[j];
		for (j = 0; j < FP; j++)
			f->reg[j].live = 0;
		for (j = 0; j < f->slots; j++) {
			f->slot[j].reg.live = 0;
			f->slot[j].reg.parent = &kf->slot[j].reg;
		}
	}
	st->parent = k;
	st->history = 0;
	return k;
}

/* ---- comparison ---- */

#define PAIRS	600

/* Ids of the kept state, and the ids of the new state that correspond to them */
struct pairs {
	unsigned int count;
	uint32_t next;
	struct {
		uint32_t old, cur;
	} pair[PAIRS];
};

static bool same_id(struct pairs *p, uint32_t old, uint32_t cur)
{
	unsigned int i;

	if (!old || !cur)
		return old == cur;
	for (i = 0; i < p->count; i++) {
		if (p->pair[i].old == old)
			return p->pair[i].cur == cur;
		if (p->pair[i].cur == cur)
			return false;
	}
	if (p->count == PAIRS)
		return false;
	p->pair[p->count].old = old;
	p->pair[p->count++].cur = cur;
	return true;
}

/* Registers that are linked in the kept state must be linked in the new one. More may be. */
static bool same_link(struct pairs *p, const struct reg *old, const struct reg *cur)
{
	uint32_t id = cur->id;

	if (old->id & ID_ADD && (!(id & ID_ADD) || old->off != cur->off))
		return false;
	if (old->id && !(old->id & ID_ADD) && id & ID_ADD)
		return false;
	if (!old->id)
		return true;
	if (!id)
		id = ++p->next;
	if (!same_id(p, old->id, id))
		return false;
	return !(old->id & ID_ADD) || same_id(p, old->id & ~ID_ADD, id & ~ID_ADD);
}

static bool reg_equal(struct pairs *p, const struct reg *old, const struct reg *cur)
{
	return old->off == cur->off && old->range == cur->range && old->map == cur->map &&
	       old->frame == cur->frame && !memcmp(&old->var, &cur->var, sizeof(old->var)) &&
	       same_id(p, old->id, cur->id);
}

static bool packet_same(struct pairs *p, const struct reg *old, const struct reg *cur)
{
	if (old->range < 0 || cur->range < 0 ? old->range != cur->range :
					       old->range > cur->range)
		return false;
	return old->off == cur->off && same_id(p, old->id, cur->id) &&
	       scalar_within(&old->var, &cur->var);
}

static bool reg_same(struct pairs *p, const struct reg *old, const struct reg *cur, enum sameness how)
{
	if (how == SAME_EXACT)
		return old->type == cur->type && reg_equal(p, old, cur);
	if (!(old->live & LIVE_READ) || old->type == T_NONE)
		return true;
	if (old->type != cur->type)
		return false;
	switch (old->type) {
	case T_SCALAR:
		if (!old->precise && how == SAME_PRUNED)
			return true;
		return same_link(p, old, cur) && scalar_within(&old->var, &cur->var);
	case T_VALUE:
	case T_VALUE_NULL:
		return old->off == cur->off && old->map == cur->map &&
		       scalar_within(&old->var, &cur->var) && same_id(p, old->id, cur->id);
	case T_PACKET:
	case T_META:
		return packet_same(p, old, cur);
	default:
		return reg_equal(p, old, cur);
	}
}

/* Return the number in a slot: the one that was spilled, or an unknown one; NULL for neither. */
static const struct reg *slot_scalar(const struct slot *s, struct reg *unknown)
{
	int i;

	if (s->byte[0] == BYTE_SPILL)
		return s->reg.type == T_SCALAR ? &s->reg : NULL;
	for (i = 0; i < 8; i++)
		if (s->byte[i] != BYTE_MISC && s->byte[i] != BYTE_NONE)
			return NULL;
	reg_unknown(unknown);
	unknown->live = LIVE_READ64;
	return unknown;
}

static bool slot_same(struct pairs *p, const struct slot *old, const struct slot *cur,
		      enum sameness how)
{
	struct reg unknown[2] = { 0 };
	const struct reg *a, *b;
	int i;

	if (!(old->reg.live & LIVE_READ))
		return true;
	for (i = 0; i < 8; i++)
		if (old->byte[i] != BYTE_NONE && old->byte[i] != BYTE_MISC)
			break;
	if (i == 8)
		return true;
	if (cur) {
		a = slot_scalar(old, &unknown[0]);
		b = slot_scalar(cur, &unknown[1]);
		if (a && b)
			return reg_same(p, a, b, how);
	}
	for (i = 0; i < 8; i++) {
		if (old->byte[i] == BYTE_NONE || old->byte[i] == BYTE_MISC)
			continue;
		if (!cur || old->byte[i] != cur->byte[i])
			return false;
	}
	return !slot_is_spill(old) || reg_same(p, &old->reg, &cur->reg, how);
}

static bool slot_equal(struct pairs *p, const struct slot *old, const struct slot *cur)
{
	return cur && !memcmp(old->byte, cur->byte, sizeof(old->byte)) &&
	       (!slot_is_spill(old) || reg_same(p, &old->reg, &cur->reg, SAME_EXACT));
}

static bool frame_same(struct pairs *p, const struct frame *old, const struct frame *cur,
		       enum sameness how)
{
	unsigned int i;

	if (old->callsite != cur->callsite)
		return false;
	for (i = 0; i < REGS; i++)
		if (!reg_same(p, &old->reg[i], &cur->reg[i], how))
			return false;
	for (i = 0; i < old->slots; i++) {
		const struct slot *c = i < cur->slots ? &cur->slot[i] : NULL;

		if (how == SAME_EXACT ? !slot_equal(p, &old->slot[i], c) :
					!slot_same(p, &old->slot[i], c, how))
			return false;
	}
	return true;
}

bool state_same(const struct kept *old, const struct state *st, enum sameness how)
{
	static struct pairs pairs;
	int i;

	if (old->st.cur != st->cur)
		return false;
	pairs.count = 0;
	pairs.next = 1u << 30;
	for (i = 0; i <= st->cur; i++)
		if (!frame_same(&pairs, old->st.frame[i], st->frame[i], how))
			return false;
	return true;
}
