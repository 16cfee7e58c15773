// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* scalar.c - what is known of a number, and what ALU operations make of it. */
#include <linux/bpf.h>
#include <string.h>
#include "scalar.h"

#define HIGH	(~(uint64_t)UINT32_MAX)

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* ---- bits ---- */

static struct bits bits_all(void)
{
	return (struct bits){ 0, UINT64_MAX };
}

static struct bits bits_const(uint64_t v)
{
	return (struct bits){ v, 0 };
}

static struct bits bits_low(struct bits b)
{
	return (struct bits){ (uint32_t)b.value, (uint32_t)b.unknown };
}

static struct bits bits_join(struct bits high, struct bits low)
{
	return (struct bits){ (high.value & HIGH) | (uint32_t)low.value,
			      (high.unknown & HIGH) | (uint32_t)low.unknown };
}

/* Return the bits that all numbers from @min to @max have in common. */
static struct bits bits_range(uint64_t min, uint64_t max)
{
	uint64_t differ = min ^ max, unknown;

	if (differ >> 63)
		return bits_all();
	unknown = differ ? (2ull << (63 - __builtin_clzll(differ))) - 1 : 0;
	return (struct bits){ min & ~unknown, unknown };
}

struct bits bits_both(struct bits a, struct bits b)
{
	uint64_t unknown = a.unknown & b.unknown;

	return (struct bits){ (a.value | b.value) & ~unknown, unknown };
}

static struct bits bits_and(struct bits a, struct bits b)
{
	uint64_t ones = a.value & b.value;

	return (struct bits){ ones,
		(a.value | a.unknown) & (b.value | b.unknown) & ~ones };
}

static struct bits bits_or(struct bits a, struct bits b)
{
	uint64_t ones = a.value | b.value;

	return (struct bits){ ones, (a.unknown | b.unknown) & ~ones };
}

static struct bits bits_xor(struct bits a, struct bits b)
{
	uint64_t unknown = a.unknown | b.unknown;

	return (struct bits){ (a.value ^ b.value) & ~unknown, unknown };
}

/* A bit is unknown when it differs between the least and the greatest possible sum. */
struct bits bits_add(struct bits a, struct bits b)
{
	uint64_t least = a.value + b.value;
	uint64_t most = least + (a.unknown + b.unknown);
	uint64_t unknown = (least ^ most) | a.unknown | b.unknown;

	return (struct bits){ least & ~unknown, unknown };
}

struct bits bits_sub(struct bits a, struct bits b)
{
	uint64_t mid = a.value - b.value;
	uint64_t unknown = ((mid + a.unknown) ^ (mid - b.unknown)) | a.unknown | b.unknown;

	return (struct bits){ mid & ~unknown, unknown };
}

/*
 * Multiply as in long multiplication. The product of the known bits is exact; the products
 * that involve unknown bits are summed separately.
 */
static struct bits bits_mul(struct bits a, struct bits b)
{
	struct bits sum = bits_const(a.value * b.value), rest = bits_const(0), part = { 0, 0 };

	for (; a.value | a.unknown; a.value >>= 1, a.unknown >>= 1) {
		part.unknown = a.value & 1 ? b.unknown :
			       a.unknown & 1 ? b.value | b.unknown : 0;
		if ((a.value | a.unknown) & 1)
			rest = bits_add(rest, part);
		b.value <<= 1;
		b.unknown <<= 1;
	}
	return bits_add(sum, rest);
}

static struct bits bits_lsh(struct bits a, unsigned int n)
{
	return (struct bits){ a.value << n, a.unknown << n };
}

static struct bits bits_rsh(struct bits a, unsigned int n)
{
	return (struct bits){ a.value >> n, a.unknown >> n };
}

static struct bits bits_arsh(struct bits a, unsigned int n, bool half)
{
	if (half)
		return (struct bits){ (uint32_t)((int32_t)a.value >> n),
				      (uint32_t)((int32_t)a.unknown >> n) };
	return (struct bits){ (int64_t)a.value >> n, (int64_t)a.unknown >> n };
}

/* ---- bounds ---- */

static void any64(struct scalar *s)
{
	s->umin = 0;
	s->umax = UINT64_MAX;
	s->smin = INT64_MIN;
	s->smax = INT64_MAX;
}

static void any32(struct scalar *s)
{
	s->umin32 = 0;
	s->umax32 = UINT32_MAX;
	s->smin32 = INT32_MIN;
	s->smax32 = INT32_MAX;
}

void scalar_any(struct scalar *s)
{
	s->bits = bits_all();
	any64(s);
	any32(s);
}

void scalar_const(struct scalar *s, uint64_t v)
{
	s->bits = bits_const(v);
	s->umin = s->umax = v;
	s->smin = s->smax = v;
	s->umin32 = s->umax32 = v;
	s->smin32 = s->smax32 = v;
}

static void const32(struct scalar *s, uint32_t v)
{
	s->bits = bits_join(s->bits, bits_const(v));
	s->umin32 = s->umax32 = v;
	s->smin32 = s->smax32 = v;
}

static void clip_u64(struct scalar *s, uint64_t min, uint64_t max)
{
	s->umin = max_u64(s->umin, min);
	s->umax = min_u64(s->umax, max);
}

static void clip_s64(struct scalar *s, int64_t min, int64_t max)
{
	if (min > s->smin)
		s->smin = min;
	if (max < s->smax)
		s->smax = max;
}

static void clip_u32(struct scalar *s, uint32_t min, uint32_t max)
{
	if (min > s->umin32)
		s->umin32 = min;
	if (max < s->umax32)
		s->umax32 = max;
}

static void clip_s32(struct scalar *s, int32_t min, int32_t max)
{
	if (min > s->smin32)
		s->smin32 = min;
	if (max < s->smax32)
		s->smax32 = max;
}

static void bounds32_by_bits(struct scalar *s)
{
	uint32_t v = s->bits.value, u = s->bits.unknown;

	clip_s32(s, v | (u & 0x80000000), v | (u & INT32_MAX));
	clip_u32(s, v, v | u);
}

static void bounds_by_bits(struct scalar *s)
{
	uint64_t v = s->bits.value, u = s->bits.unknown;

	bounds32_by_bits(s);
	clip_s64(s, v | (u & 1ull << 63), v | (u & INT64_MAX));
	clip_u64(s, v, v | u);
}

/*
 * Derive bounds of the lower half from those of the whole. The lower halves of the least and
 * the greatest number are bounds when all numbers between have the same upper half. They are
 * signed bounds as well when the upper half grows by one where the lower half passes from -1
 * to 0.
 */
static void half_by_whole(struct scalar *s)
{
	if (s->umin >> 32 == s->umax >> 32) {
		clip_u32(s, s->umin, s->umax);
		if ((int32_t)s->umin <= (int32_t)s->umax)
			clip_s32(s, s->umin, s->umax);
	}
	if (s->smin >> 32 == s->smax >> 32) {
		if ((uint32_t)s->smin <= (uint32_t)s->smax)
			clip_u32(s, s->smin, s->smax);
		if ((int32_t)s->smin <= (int32_t)s->smax)
			clip_s32(s, s->smin, s->smax);
	}
	if ((uint32_t)(s->umin >> 32) + 1 == (uint32_t)(s->umax >> 32) &&
	    (int32_t)s->umin < 0 && (int32_t)s->umax >= 0)
		clip_s32(s, s->umin, s->umax);
	if ((uint32_t)(s->smin >> 32) + 1 == (uint32_t)(s->smax >> 32) &&
	    (int32_t)s->smin < 0 && (int32_t)s->smax >= 0)
		clip_s32(s, s->smin, s->smax);
}

/*
 * Derive signed bounds of the lower half from unsigned ones, and the reverse. Bounds of the
 * same sign hold for both. When the signed bounds have different signs, the unsigned bounds may
 * still exclude the negative or the other numbers.
 */
static void signs32(struct scalar *s)
{
	if ((int32_t)s->umin32 <= (int32_t)s->umax32)
		clip_s32(s, s->umin32, s->umax32);
	if ((uint32_t)s->smin32 <= (uint32_t)s->smax32) {
		clip_u32(s, s->smin32, s->smax32);
	} else if (s->umax32 < (uint32_t)s->smin32) {
		s->smin32 = s->umin32;
		clip_u32(s, 0, s->smax32);
	} else if ((uint32_t)s->smax32 < s->umin32) {
		s->smax32 = s->umax32;
		clip_u32(s, s->smin32, UINT32_MAX);
	}
}

static void signs64(struct scalar *s)
{
	if ((int64_t)s->umin <= (int64_t)s->umax)
		clip_s64(s, s->umin, s->umax);
	if ((uint64_t)s->smin <= (uint64_t)s->smax) {
		clip_u64(s, s->smin, s->smax);
	} else if (s->umax < (uint64_t)s->smin) {
		s->smin = s->umin;
		clip_u64(s, 0, s->smax);
	} else if ((uint64_t)s->smax < s->umin) {
		s->smax = s->umax;
		clip_u64(s, s->smin, UINT64_MAX);
	}
}

/* Narrow the bounds of the whole by those of the lower half. */
static void whole_by_half(struct scalar *s)
{
	clip_u64(s, (s->umin & HIGH) | s->umin32, (s->umax & HIGH) | s->umax32);
	clip_s64(s, ((uint64_t)s->smin & HIGH) | s->umin32,
		 ((uint64_t)s->smax & HIGH) | s->umax32);
	if ((uint32_t)s->smin32 <= (uint32_t)s->smax32) {
		clip_u64(s, (s->umin & HIGH) | (uint32_t)s->smin32,
			 (s->umax & HIGH) | (uint32_t)s->smax32);
		clip_s64(s, ((uint64_t)s->smin & HIGH) | (uint32_t)s->smin32,
			 ((uint64_t)s->smax & HIGH) | (uint32_t)s->smax32);
	}
	/* The number is a sign-extended 32-bit number that is not negative. */
	if (s->smin32 >= 0 && s->smin >= INT32_MIN && s->smax <= INT32_MAX) {
		s->smin = s->umin = s->smin32;
		s->smax = s->umax = s->smax32;
		s->bits = bits_both(s->bits, bits_range(s->smin, s->smax));
	}
}

static void bits_by_bounds(struct scalar *s)
{
	struct bits all = bits_both(s->bits, bits_range(s->umin, s->umax));
	struct bits low = bits_both(bits_low(all), bits_range(s->umin32, s->umax32));

	s->bits = bits_join(all, low);
}

void scalar_sync(struct scalar *s)
{
	int i;

	bounds_by_bits(s);
	for (i = 0; i < 3; i++) {
		half_by_whole(s);
		signs32(s);
		signs64(s);
		whole_by_half(s);
	}
	bits_by_bounds(s);
	bounds_by_bits(s);
}

unsigned int scalar_width(const struct scalar *s)
{
	return s->umax ? 64 - __builtin_clzll(s->umax) : 0;
}

bool scalar_within(const struct scalar *all, const struct scalar *s)
{
	return all->umin <= s->umin && all->umax >= s->umax &&
	       all->smin <= s->smin && all->smax >= s->smax &&
	       all->umin32 <= s->umin32 && all->umax32 >= s->umax32 &&
	       all->smin32 <= s->smin32 && all->smax32 >= s->smax32 &&
	       !(s->bits.unknown & ~all->bits.unknown) &&
	       all->bits.value == (s->bits.value & ~all->bits.unknown);
}

void scalar_truncate(struct scalar *s, unsigned int size)
{
	uint64_t mask = (1ull << (8 * size)) - 1;

	s->bits.value &= mask;
	s->bits.unknown &= mask;
	if ((s->umin & ~mask) == (s->umax & ~mask)) {
		s->umin &= mask;
		s->umax &= mask;
	} else {
		s->umin = 0;
		s->umax = mask;
	}
	s->smin = s->umin;
	s->smax = s->umax;
	if (size < 4)
		any32(s);
	scalar_sync(s);
}

static int64_t extend(uint64_t v, unsigned int bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

void scalar_extend(struct scalar *s, unsigned int bits, bool half)
{
	int64_t a = extend(half ? s->smin32 : s->smin, bits);
	int64_t b = extend(half ? s->smax32 : s->smax, bits);
	int64_t top = half ? (int64_t)s->smin32 ^ s->smax32 : s->smin ^ s->smax;
	int64_t min = a < b ? a : b, max = a < b ? b : a;
	bool known = !((uint64_t)top >> bits << bits) && (min >= 0) == (max >= 0), cross;

	if (scalar_is_const(s)) {
		min = max = extend(s->bits.value, bits);
	} else if (!known) {
		min = -(1ll << (bits - 1));
		max = -min - 1;
	}
	cross = min < 0 && max >= 0;
	s->bits = cross ? bits_all() : bits_range(min, max);
	s->smin32 = min;
	s->smax32 = max;
	s->umin32 = cross ? 0 : min;
	s->umax32 = cross ? -1 : max;
	if (half)
		return;
	s->smin = min;
	s->smax = max;
	s->umin = cross ? 0 : min;
	s->umax = cross ? -1 : max;
}

void scalar_zext(struct scalar *s)
{
	s->bits = bits_low(s->bits);
	s->umin = s->umin32;
	s->umax = s->umax32;
	if (s->smin32 >= 0 && s->smax32 >= 0) {
		s->smin = s->smin32;
		s->smax = s->smax32;
	} else {
		s->smin = 0;
		s->smax = UINT32_MAX;
	}
}

/* ---- operations ---- */

void scalar_bounds_add(struct scalar *d, const struct scalar *s)
{
	if (__builtin_add_overflow(d->smin, s->smin, &d->smin) ||
	    __builtin_add_overflow(d->smax, s->smax, &d->smax)) {
		d->smin = INT64_MIN;
		d->smax = INT64_MAX;
	}
	if (__builtin_add_overflow(d->umin, s->umin, &d->umin) ||
	    __builtin_add_overflow(d->umax, s->umax, &d->umax)) {
		d->umin = 0;
		d->umax = UINT64_MAX;
	}
}

void scalar_bounds_sub(struct scalar *d, const struct scalar *s)
{
	if (__builtin_sub_overflow(d->smin, s->smax, &d->smin) ||
	    __builtin_sub_overflow(d->smax, s->smin, &d->smax)) {
		d->smin = INT64_MIN;
		d->smax = INT64_MAX;
	}
	if (d->umin < s->umax) {
		d->umin = 0;
		d->umax = UINT64_MAX;
	} else {
		d->umin -= s->umax;
		d->umax -= s->umin;
	}
}

static void add_bounds(struct scalar *d, const struct scalar *s)
{
	if (__builtin_add_overflow(d->smin32, s->smin32, &d->smin32) ||
	    __builtin_add_overflow(d->smax32, s->smax32, &d->smax32)) {
		d->smin32 = INT32_MIN;
		d->smax32 = INT32_MAX;
	}
	if (__builtin_add_overflow(d->umin32, s->umin32, &d->umin32) ||
	    __builtin_add_overflow(d->umax32, s->umax32, &d->umax32)) {
		d->umin32 = 0;
		d->umax32 = UINT32_MAX;
	}
	scalar_bounds_add(d, s);
}

static void sub_bounds(struct scalar *d, const struct scalar *s)
{
	if (__builtin_sub_overflow(d->smin32, s->smax32, &d->smin32) ||
	    __builtin_sub_overflow(d->smax32, s->smin32, &d->smax32)) {
		d->smin32 = INT32_MIN;
		d->smax32 = INT32_MAX;
	}
	if (d->umin32 < s->umax32) {
		d->umin32 = 0;
		d->umax32 = UINT32_MAX;
	} else {
		d->umin32 -= s->umax32;
		d->umax32 -= s->umin32;
	}
	scalar_bounds_sub(d, s);
}

/* Bounds of a product are known only when it cannot overflow and no factor can be negative. */
static void mul_bounds(struct scalar *d, const struct scalar *s)
{
	if (s->smin32 < 0 || d->smin32 < 0 || s->umax32 > UINT16_MAX || d->umax32 > UINT16_MAX) {
		any32(d);
	} else {
		d->umin32 *= s->umin32;
		d->umax32 *= s->umax32;
		d->smin32 = d->umax32 > INT32_MAX ? INT32_MIN : (int32_t)d->umin32;
		d->smax32 = d->umax32 > INT32_MAX ? INT32_MAX : (int32_t)d->umax32;
	}
	if (s->smin < 0 || d->smin < 0 || s->umax > UINT32_MAX || d->umax > UINT32_MAX) {
		any64(d);
	} else {
		d->umin *= s->umin;
		d->umax *= s->umax;
		d->smin = d->umax > INT64_MAX ? INT64_MIN : (int64_t)d->umin;
		d->smax = d->umax > INT64_MAX ? INT64_MAX : (int64_t)d->umax;
	}
}

/* Compute the unsigned bounds of and, or, xor. @d has the known bits of the result already. */
static void logic_unsigned(struct scalar *d, const struct scalar *s, uint8_t op)
{
	uint32_t v32 = d->bits.value, m32 = v32 | (uint32_t)d->bits.unknown;
	uint64_t v = d->bits.value, m = v | d->bits.unknown;

	switch (op) {
	case BPF_AND:
		d->umin = v;
		d->umax = min_u64(d->umax, s->umax);
		d->umin32 = v32;
		d->umax32 = min_u64(d->umax32, s->umax32);
		break;
	case BPF_OR:
		d->umin = max_u64(d->umin, s->umin);
		d->umax = m;
		d->umin32 = max_u64(d->umin32, s->umin32);
		d->umax32 = m32;
		break;
	default:
		d->umin = v;
		d->umax = m;
		d->umin32 = v32;
		d->umax32 = m32;
	}
}

static void logic(struct scalar *d, const struct scalar *s, uint8_t op)
{
	d->bits = op == BPF_AND ? bits_and(d->bits, s->bits) :
		  op == BPF_OR ? bits_or(d->bits, s->bits) : bits_xor(d->bits, s->bits);
	if (scalar_is_const(s) && scalar_is_const(d)) {
		scalar_const(d, d->bits.value);
		return;
	}
	logic_unsigned(d, s, op);
	if (scalar_half_const(s, true) && scalar_half_const(d, true)) {
		const32(d, d->bits.value);
	} else if ((int32_t)d->umin32 <= (int32_t)d->umax32) {
		d->smin32 = d->umin32;
		d->smax32 = d->umax32;
	} else {
		d->smin32 = INT32_MIN;
		d->smax32 = INT32_MAX;
	}
	if ((int64_t)d->umin <= (int64_t)d->umax) {
		d->smin = d->umin;
		d->smax = d->umax;
	} else {
		d->smin = INT64_MIN;
		d->smax = INT64_MAX;
	}
	bounds_by_bits(d);
}

static void lsh_bounds32(struct scalar *d, unsigned int n)
{
	d->smin32 = INT32_MIN;
	d->smax32 = INT32_MAX;
	if (n > 31 || d->umax32 > 1ull << (31 - n)) {
		d->umin32 = 0;
		d->umax32 = UINT32_MAX;
	} else {
		d->umin32 <<= n;
		d->umax32 <<= n;
	}
}

static void lsh(struct scalar *d, unsigned int n, bool half)
{
	if (half) {
		lsh_bounds32(d, n);
		d->bits = bits_low(bits_lsh(bits_low(d->bits), n));
		any64(d);
		bounds32_by_bits(d);
		return;
	}
	/* Compilers extend a sign by << 32 and s>> 32, so this shift keeps the signed bounds. */
	d->smax = n == 32 ? (int64_t)((uint64_t)(int64_t)d->smax32 << 32) : INT64_MAX;
	d->smin = n == 32 ? (int64_t)((uint64_t)(int64_t)d->smin32 << 32) : INT64_MIN;
	if (d->umax > 1ull << (63 - n)) {
		d->umin = 0;
		d->umax = UINT64_MAX;
	} else {
		d->umin <<= n;
		d->umax <<= n;
	}
	lsh_bounds32(d, n);
	d->bits = bits_lsh(d->bits, n);
	bounds_by_bits(d);
}

static void rsh(struct scalar *d, unsigned int n, bool half)
{
	if (half) {
		d->smin32 = INT32_MIN;
		d->smax32 = INT32_MAX;
		d->bits = bits_rsh(bits_low(d->bits), n);
		d->umin32 >>= n;
		d->umax32 >>= n;
		any64(d);
		bounds32_by_bits(d);
		return;
	}
	d->smin = INT64_MIN;
	d->smax = INT64_MAX;
	d->bits = bits_rsh(d->bits, n);
	d->umin >>= n;
	d->umax >>= n;
	any32(d);
	bounds_by_bits(d);
}

static void arsh(struct scalar *d, unsigned int n, bool half)
{
	if (half) {
		d->smin32 >>= n;
		d->smax32 >>= n;
		d->bits = bits_arsh(bits_low(d->bits), n, true);
		d->umin32 = 0;
		d->umax32 = UINT32_MAX;
		any64(d);
		bounds32_by_bits(d);
		return;
	}
	d->smin >>= n;
	d->smax >>= n;
	d->bits = bits_arsh(d->bits, n, false);
	d->umin = 0;
	d->umax = UINT64_MAX;
	any32(d);
	bounds_by_bits(d);
}

/* Whether the amount is known and valid. The verifier follows no other shifts. */
static bool shift_known(const struct scalar *s, bool half)
{
	if (half)
		return scalar_half_const(s, true) && s->smin32 == s->smax32 &&
		       s->umin32 == s->umax32 && s->umax < 32;
	return scalar_is_const(s) && s->umin == s->umax && s->smin == s->smax && s->umax < 64;
}

void scalar_alu(struct scalar *dst, const struct scalar *src, uint8_t code)
{
	bool half = BPF_CLASS(code) == BPF_ALU;
	uint8_t op = BPF_OP(code);
	struct scalar copy = *src;	/* @src may be @dst */

	switch (op) {
	case BPF_ADD:
		add_bounds(dst, &copy);
		dst->bits = bits_add(dst->bits, copy.bits);
		break;
	case BPF_SUB:
		sub_bounds(dst, &copy);
		dst->bits = bits_sub(dst->bits, copy.bits);
		break;
	case BPF_MUL:
		dst->bits = bits_mul(dst->bits, copy.bits);
		mul_bounds(dst, &copy);
		break;
	case BPF_AND:
	case BPF_OR:
	case BPF_XOR:
		logic(dst, &copy, op);
		break;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		if (!shift_known(&copy, half)) {
			scalar_any(dst);
			return;
		}
		(op == BPF_LSH ? lsh : op == BPF_RSH ? rsh : arsh)(dst, copy.umin, half);
		break;
	default:
		/* The verifier knows nothing of a quotient, not even that it has 32 bits. */
		scalar_any(dst);
		return;
	}
	if (half)
		scalar_zext(dst);
	scalar_sync(dst);
}

void scalar_add_const(struct scalar *s, int32_t delta)
{
	struct scalar d;

	scalar_const(&d, (int64_t)delta);
	add_bounds(s, &d);
	s->bits = bits_add(s->bits, d.bits);
}
