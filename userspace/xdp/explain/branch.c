// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* branch.c - conditional jumps: whether one is taken, and what it tells about its operands. */
#include <linux/bpf.h>
#include "scalar.h"

/* The opposite of JSET: taken when no bit of the mask is set. BPF has no such operator. */
#define JSET_NOT	(BPF_JSET | BPF_X)

#define MIN(a, b)	((a) < (b) ? (a) : (b))
#define MAX(a, b)	((a) > (b) ? (a) : (b))

uint8_t branch_flip(uint8_t op)
{
	switch (op) {
	case BPF_JGT:	return BPF_JLT;
	case BPF_JLT:	return BPF_JGT;
	case BPF_JGE:	return BPF_JLE;
	case BPF_JLE:	return BPF_JGE;
	case BPF_JSGT:	return BPF_JSLT;
	case BPF_JSLT:	return BPF_JSGT;
	case BPF_JSGE:	return BPF_JSLE;
	case BPF_JSLE:	return BPF_JSGE;
	}
	return op;
}

static uint8_t branch_not(uint8_t op)
{
	switch (op) {
	case BPF_JEQ:	return BPF_JNE;
	case BPF_JNE:	return BPF_JEQ;
	case BPF_JSET:	return JSET_NOT;
	case BPF_JGT:	return BPF_JLE;
	case BPF_JLE:	return BPF_JGT;
	case BPF_JGE:	return BPF_JLT;
	case BPF_JLT:	return BPF_JGE;
	case BPF_JSGT:	return BPF_JSLE;
	case BPF_JSLE:	return BPF_JSGT;
	case BPF_JSGE:	return BPF_JSLT;
	case BPF_JSLT:	return BPF_JSGE;
	}
	return op;
}

/* What is known of a number or of its lower half, extended to 64 bits */
struct view {
	struct bits bits;
	uint64_t umin, umax;
	int64_t smin, smax;
};

static struct view view_of(const struct scalar *s, bool half)
{
	if (half)
		return (struct view){ { (uint32_t)s->bits.value, (uint32_t)s->bits.unknown },
				      s->umin32, s->umax32, s->smin32, s->smax32 };
	return (struct view){ s->bits, s->umin, s->umax, s->smin, s->smax };
}

static bool views_apart(const struct view *a, const struct view *b)
{
	uint64_t known = ~a->bits.unknown & ~b->bits.unknown;

	return (a->bits.value & known) != (b->bits.value & known) ||
	       a->umin > b->umax || a->umax < b->umin ||
	       a->smin > b->smax || a->smax < b->smin;
}

/* Return 1 when the numbers are equal, 0 when they cannot be, -1 otherwise. */
static int equal(const struct scalar *a, const struct scalar *b, bool half)
{
	struct view x = view_of(a, half), y = view_of(b, half);

	if (!x.bits.unknown && !y.bits.unknown)
		return x.bits.value == y.bits.value;
	if (views_apart(&x, &y))
		return 0;
	if (!half && (a->umin32 > b->umax32 || a->umax32 < b->umin32 ||
		      a->smin32 > b->smax32 || a->smax32 < b->smin32))
		return 0;
	return -1;
}

static int any_bit(const struct scalar *a, const struct scalar *b, bool half)
{
	struct view x = view_of(a, half), y = view_of(b, half), t;

	if (y.bits.unknown) {
		t = x;
		x = y;
		y = t;
	}
	if (y.bits.unknown)
		return -1;
	if (x.bits.value & y.bits.value)
		return 1;
	return (x.bits.value | x.bits.unknown) & y.bits.value ? -1 : 0;
}

static int less_u(const struct view *a, const struct view *b, bool or_equal)
{
	if (or_equal ? a->umax <= b->umin : a->umax < b->umin)
		return 1;
	if (or_equal ? a->umin > b->umax : a->umin >= b->umax)
		return 0;
	return -1;
}

static int less_s(const struct view *a, const struct view *b, bool or_equal)
{
	if (or_equal ? a->smax <= b->smin : a->smax < b->smin)
		return 1;
	if (or_equal ? a->smin > b->smax : a->smin >= b->smax)
		return 0;
	return -1;
}

int scalar_branch(const struct scalar *a, const struct scalar *b, uint8_t op, bool half)
{
	struct view x = view_of(a, half), y = view_of(b, half);
	int ret;

	switch (op) {
	case BPF_JEQ:
		return equal(a, b, half);
	case BPF_JNE:
		ret = equal(a, b, half);
		return ret < 0 ? ret : !ret;
	case BPF_JSET:
		return any_bit(a, b, half);
	case BPF_JLT:
	case BPF_JLE:
		return less_u(&x, &y, op == BPF_JLE);
	case BPF_JGT:
	case BPF_JGE:
		return less_u(&y, &x, op == BPF_JGE);
	case BPF_JSLT:
	case BPF_JSLE:
		return less_s(&x, &y, op == BPF_JSLE);
	case BPF_JSGT:
	case BPF_JSGE:
		return less_s(&y, &x, op == BPF_JSGE);
	}
	return -1;
}

/* Replace the known bits of @b by @low: with @half those of the lower half, else all. */
static struct bits put(struct bits b, struct bits low, bool half)
{
	uint64_t keep = half ? ~(uint64_t)UINT32_MAX : 0;

	return (struct bits){ (b.value & keep) | (low.value & ~keep),
			      (b.unknown & keep) | (low.unknown & ~keep) };
}

static void learn_equal(struct scalar *a, struct scalar *b, bool half)
{
	struct bits bits = bits_both(view_of(a, half).bits, view_of(b, half).bits);

	if (half) {
		a->umin32 = b->umin32 = MAX(a->umin32, b->umin32);
		a->umax32 = b->umax32 = MIN(a->umax32, b->umax32);
		a->smin32 = b->smin32 = MAX(a->smin32, b->smin32);
		a->smax32 = b->smax32 = MIN(a->smax32, b->smax32);
	} else {
		a->umin = b->umin = MAX(a->umin, b->umin);
		a->umax = b->umax = MIN(a->umax, b->umax);
		a->smin = b->smin = MAX(a->smin, b->smin);
		a->smax = b->smax = MIN(a->smax, b->smax);
	}
	a->bits = put(a->bits, bits, half);
	b->bits = put(b->bits, bits, half);
}

/* @a is not @v: a bound that equals @v moves by one. */
static void learn_unequal(struct scalar *a, uint64_t v, bool half)
{
	if (half) {
		a->umin32 += a->umin32 == (uint32_t)v;
		a->umax32 -= a->umax32 == (uint32_t)v;
		a->smin32 += a->smin32 == (int32_t)v;
		a->smax32 -= a->smax32 == (int32_t)v;
	} else {
		a->umin += a->umin == v;
		a->umax -= a->umax == v;
		a->smin += a->smin == (int64_t)v;
		a->smax -= a->smax == (int64_t)v;
	}
}

/*
 * With @set, a bit of mask @v is 1; which one is known only when @v has a single bit. Otherwise
 * all bits of @v are 0.
 */
static void learn_bits(struct scalar *a, uint64_t v, bool set, bool half)
{
	struct bits bits;

	if (set) {
		if (!v || (v & (v - 1)))
			return;
		bits = view_of(a, half).bits;
		bits.value |= v;
		bits.unknown &= ~v;
	} else {
		bits = a->bits;
		scalar_any(a);
		a->bits = bits;
		bits = view_of(a, half).bits;
		bits.value &= ~v;
		bits.unknown &= ~v;
	}
	a->bits = put(a->bits, bits, half);
}

static void learn_less_u(struct scalar *a, struct scalar *b, unsigned int strict, bool half)
{
	if (half) {
		a->umax32 = MIN(a->umax32, b->umax32 - strict);
		b->umin32 = MAX(a->umin32 + strict, b->umin32);
	} else {
		a->umax = MIN(a->umax, b->umax - strict);
		b->umin = MAX(a->umin + strict, b->umin);
	}
}

static void learn_less_s(struct scalar *a, struct scalar *b, int strict, bool half)
{
	if (half) {
		a->smax32 = MIN(a->smax32, (int32_t)((uint32_t)b->smax32 - strict));
		b->smin32 = MAX((int32_t)((uint32_t)a->smin32 + strict), b->smin32);
	} else {
		a->smax = MIN(a->smax, (int64_t)((uint64_t)b->smax - strict));
		b->smin = MAX((int64_t)((uint64_t)a->smin + strict), b->smin);
	}
}

static void learn_const(struct scalar *a, struct scalar *b, uint8_t op, bool half)
{
	struct scalar *t;
	uint64_t v;

	if (!scalar_half_const(b, half)) {
		t = a;
		a = b;
		b = t;
	}
	if (!scalar_half_const(b, half))
		return;
	v = view_of(b, half).bits.value;
	if (op == BPF_JNE)
		learn_unequal(a, v, half);
	else
		learn_bits(a, v, op == BPF_JSET, half);
}

void scalar_learn(struct scalar *a, struct scalar *b, uint8_t op, bool taken, bool half)
{
	if (!taken)
		op = branch_not(op);
	switch (op) {
	case BPF_JEQ:
		learn_equal(a, b, half);
		break;
	case BPF_JNE:
	case BPF_JSET:
	case JSET_NOT:
		learn_const(a, b, op, half);
		break;
	case BPF_JLT:
	case BPF_JLE:
		learn_less_u(a, b, op == BPF_JLT, half);
		break;
	case BPF_JGT:
	case BPF_JGE:
		learn_less_u(b, a, op == BPF_JGT, half);
		break;
	case BPF_JSLT:
	case BPF_JSLE:
		learn_less_s(a, b, op == BPF_JSLT, half);
		break;
	case BPF_JSGT:
	case BPF_JSGE:
		learn_less_s(b, a, op == BPF_JSGT, half);
		break;
	}
	scalar_sync(a);
	scalar_sync(b);
}
