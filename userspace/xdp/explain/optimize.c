// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* optimize.c - instructions that the verifier and the driver's JIT remove or combine. */
#include "xlate.h"

#define COPY_MAX	128	/* most bytes that one command reads */
#define CACHE_MAX	64

/* ---- removed by the verifier ---- */

static bool is_jump(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP || BPF_CLASS(insn->code) == BPF_JMP32;
}

static bool is_conditional(const struct bpf_insn *insn)
{
	return is_jump(insn) && BPF_OP(insn->code) != BPF_JA &&
	       BPF_OP(insn->code) != BPF_CALL && BPF_OP(insn->code) != BPF_EXIT;
}

static bool all_gone(const struct xlate *t, int from, int to)
{
	for (; from < to; from++)
		if (!t->x[from].dead)
			return false;
	return true;
}

/* Remove conditional jumps that always go the same way, and jumps over removed instructions. */
static void remove_jumps(struct xlate *t)
{
	int i, to;

	for (i = 0; i < t->n; i++) {
		struct xinsn *x = &t->x[i];

		to = i + 1 + x->insn.off;
		if (x->dead || to < 0 || to > t->n)
			continue;
		if (is_conditional(&x->insn)) {
			if (i + 1 < t->n && !t->x[i + 1].info->seen)
				x->dead = to > i && all_gone(t, i + 1, to);
			else if (to < t->n && !t->x[to].info->seen)
				x->dead = true;
		} else if (x->insn.code == (BPF_JMP | BPF_JA)) {
			x->dead = to > i && all_gone(t, i + 1, to);
		}
	}
}

void xlate_prepare(struct xlate *t)
{
	int i, func = -1, to;

	for (i = 0; i < t->n; i++) {
		struct xinsn *x = &t->x[i];
		int at = survey_func_at(t->w, i);

		if (at >= 0)
			func = at;
		x->insn = t->w->p->insn[i];
		x->info = &t->w->info[i];
		x->dead = !x->info->seen;
		x->func = func;
		x->func_start = at > 0;
		x->pair = -1;
		if (x->insn.dst_reg >= BPF_REG_6 && x->insn.dst_reg <= BPF_REG_9)
			t->push[func] = true;
	}
	for (i = 0; i < t->n; i++) {
		const struct bpf_insn *insn = &t->x[i].insn;

		if (!is_jump(insn) || BPF_OP(insn->code) == BPF_EXIT)
			continue;
		if (BPF_OP(insn->code) == BPF_CALL && insn->src_reg != BPF_PSEUDO_CALL)
			continue;
		to = i + 1 + (BPF_OP(insn->code) == BPF_CALL ? insn->imm : insn->off);
		if (to >= 0 && to < t->n)
			t->x[to].target = true;
	}
	remove_jumps(t);
}

/* ---- removed by the JIT ---- */

/* Skip "r6 = r1" at the start: r1 is the context, to which the card has no pointer. */
static void skip_context(struct xlate *t)
{
	struct xinsn *x;

	for (x = t->x; x < t->x + t->n; x++) {
		if (x->insn.code == (BPF_ALU64 | BPF_XOR | BPF_X) &&
		    x->insn.src_reg == x->insn.dst_reg)
			continue;
		if (x->insn.code == (BPF_ALU64 | BPF_MOV | BPF_X) && x->insn.src_reg == 1 &&
		    x->insn.dst_reg == 6)
			x->skip = true;
		if (!x_gone(x))
			return;
	}
}

/* Negate negative constants and exchange + and -: only a positive one can fit an operand. */
static void negate(struct xlate *t)
{
	struct xinsn *x;

	for (x = t->x; x < t->x + t->n; x++) {
		uint8_t class = BPF_CLASS(x->insn.code), op = BPF_OP(x->insn.code);

		if (x_gone(x) || BPF_SRC(x->insn.code) != BPF_K || x->insn.imm >= 0)
			continue;
		if (is_jump(&x->insn)) {
			if (op != BPF_JGE && op != BPF_JSGE && op != BPF_JLT && op != BPF_JSLT)
				continue;
			x->negated = true;
		} else if ((class == BPF_ALU || class == BPF_ALU64) &&
			   (op == BPF_ADD || op == BPF_SUB)) {
			x->insn.code = class | (op == BPF_ADD ? BPF_SUB : BPF_ADD) | BPF_K;
		} else {
			continue;
		}
		x->insn.imm = -(uint32_t)x->insn.imm;
	}
}

/* ---- loads and stores that are combined into one copy ---- */

static bool is_copy(const struct xinsn *ld, const struct xinsn *st)
{
	return x_load(ld) && x_store(st) &&
	       (ld->info->ptr.type == T_PACKET || ld->info->ptr.type == T_VALUE) &&
	       st->info->ptr.type == T_PACKET &&
	       BPF_SIZE(ld->insn.code) == BPF_SIZE(st->insn.code) &&
	       ld->insn.dst_reg == st->insn.src_reg && !st->target;
}

static bool continues(const struct xinsn *ld, const struct xinsn *st,
		      const struct bpf_insn *was_ld, const struct bpf_insn *was_st)
{
	int size = insn_bytes(&ld->insn), was = insn_bytes(was_ld);

	if (ld->insn.dst_reg != was_ld->dst_reg || ld->insn.src_reg != was_ld->src_reg ||
	    st->insn.dst_reg != was_st->dst_reg || size != was || ld->target)
		return false;
	return (was_ld->off + was == ld->insn.off && was_st->off + was == st->insn.off) ||
	       (ld->insn.off + size == was_ld->off && st->insn.off + size == was_st->off);
}

/* Whether a load of the copy may read what an earlier store of the copy wrote. */
static bool overlaps(const struct bpf_insn *ld, const struct xinsn *head_ld,
		     const struct xinsn *head_st)
{
	int16_t from, to, at;

	if (head_ld->info->ptr.type != head_st->info->ptr.type)
		return false;
	if (head_ld->info->ptr.id != head_st->info->ptr.id)
		return true;
	from = head_ld->insn.off + head_ld->info->ptr.off;
	to = head_st->insn.off + head_st->info->ptr.off;
	at = ld->off + head_ld->info->ptr.off;
	return (at > from && from < to && at >= to) || (at < from && from > to && at <= to);
}

struct copy {
	struct xinsn *ld, *st;	/* its first pair */
	const struct bpf_insn *last_ld, *last_st;
	unsigned int count;
};

static void copy_end(struct xlate *t, struct copy *c)
{
	if (c->count < 2) {
		c->ld->gather = 0;
		return;
	}
	if (c->last_ld->off < c->ld->insn.off) {
		c->ld->insn.off = c->last_ld->off;
		c->st->insn.off = c->last_st->off;
		c->ld->gather = -c->ld->gather;
	}
	c->ld->pair = c->st - t->x;
	c->st->skip = true;
}

static void copy_take(struct copy *c, struct xinsn *ld, struct xinsn *st)
{
	if (!c->ld) {
		c->ld = ld;
		c->st = st;
	} else if (c->count) {
		ld->skip = true;
		st->skip = true;
	}
	c->ld->gather += insn_bytes(&ld->insn);
	c->last_ld = &ld->insn;
	c->last_st = &st->insn;
	c->count++;
}

/* Find the copies. Like the driver, do not end a copy that lasts up to the last instruction. */
static void gather(struct xlate *t)
{
	struct copy c = { 0 };
	int i;

	for (i = 0; i + 1 < t->n; i++) {
		struct xinsn *ld = &t->x[i], *st = &t->x[i + 1];
		bool copy = is_copy(ld, st);

		if (!copy || (c.count && !continues(ld, st, c.last_ld, c.last_st)) ||
		    (c.ld && (overlaps(&ld->insn, c.ld, c.st) || c.ld->gather >= COPY_MAX))) {
			if (!c.count)
				continue;
			copy_end(t, &c);
			c = (struct copy){ 0 };
			if (!copy)
				continue;
		}
		copy_take(&c, ld, st);
		i++;
	}
	if (c.count)
		t->open_copy = c.ld;
}

/* ---- ranges of the packet that are read once for several loads ---- */

struct range {
	struct xinsn *head;
	uint32_t id;
	int32_t off;
	int16_t from, to;
	bool valid;
};

static void range_end(struct range *r)
{
	if (!r->head)
		return;
	r->head->cache_from = r->from;
	r->head->cache_to = r->to;
}

static bool range_extend(struct range *r, const struct xinsn *x)
{
	int16_t from = r->from, to = r->to, end = x->insn.off + insn_bytes(&x->insn);

	if (x->info->ptr.id != r->id || x->info->ptr.off != r->off)
		return false;
	if (x->insn.off < from)
		from = x->insn.off;
	if (end > to)
		to = end;
	if (to - from > CACHE_MAX)
		return false;
	r->from = from;
	r->to = to;
	return true;
}

static void range_start(struct range *r, struct xinsn *x)
{
	range_end(r);
	r->head = x;
	x->cache_load = true;
	r->id = x->info->ptr.id;
	r->off = x->info->ptr.off;
	r->from = x->insn.off;
	r->to = x->insn.off + insn_bytes(&x->insn);
}

static bool ends_range(const struct xinsn *x)
{
	return (x_store(x) && x->info->ptr.type == T_PACKET) ||
	       x->insn.code == (BPF_JMP | BPF_CALL);
}

static void cache(struct xlate *t)
{
	struct range r = { 0 };
	struct xinsn *x;

	for (x = t->x; x < t->x + t->n; x++) {
		if (x->target)
			r.valid = false;
		if (x_gone(x))
			continue;
		if (ends_range(x)) {
			r.valid = false;
		} else if (x_load(x)) {
			if (x->info->ptr.type != T_PACKET || x->gather) {
				r.valid = false;
			} else if (!r.valid || !range_extend(&r, x)) {
				r.valid = true;
				range_start(&r, x);
			}
		}
	}
	range_end(&r);
	r.from = r.to = 0;
	for (x = t->x; x < t->x + t->n; x++) {
		if (x_gone(x) || !x_load(x) || x->info->ptr.type != T_PACKET || x->gather)
			continue;
		if (x->cache_load) {
			r.from = x->cache_from;
			r.to = x->cache_to;
		} else {
			x->cache_from = r.from;
			x->cache_to = r.to;
		}
	}
}

void xlate_optimize(struct xlate *t)
{
	skip_context(t);
	negate(t);
	gather(t);
	cache(t);
}
