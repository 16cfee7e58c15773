/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scalar.h - what the verifier knows of a 64-bit number: its known bits, and its bounds
 * as a signed and as an unsigned number, of 64 bits and of the lower 32 bits.
 *
 * The driver's decisions depend on what the kernel's verifier (6.12) knows. So each
 * operation here has to give the same result as the verifier's: neither more exact nor less.
 */
#ifndef EXPLAIN_SCALAR_H
#define EXPLAIN_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct bits - a number of which some bits are not known
 * @value: the known bits; an unknown bit is 0 here
 * @unknown: a mask of the unknown bits
 */
struct bits {
	uint64_t value;
	uint64_t unknown;
};

/**
 * struct scalar - a number
 * @bits: the known bits
 * @umin: least and greatest value, unsigned and signed; the fields with 32 are of the lower half
 */
struct scalar {
	struct bits bits;
	uint64_t umin, umax;
	int64_t smin, smax;
	uint32_t umin32, umax32;
	int32_t smin32, smax32;
};

void scalar_any(struct scalar *s);
void scalar_const(struct scalar *s, uint64_t v);

static inline bool scalar_is_const(const struct scalar *s)
{
	return !s->bits.unknown;
}

/* Whether the number is a constant, or with @half whether its lower half is. */
static inline bool scalar_half_const(const struct scalar *s, bool half)
{
	return !(half ? (uint32_t)s->bits.unknown : s->bits.unknown);
}

static inline bool scalar_is_zero(const struct scalar *s)
{
	return !s->bits.unknown && !s->bits.value;
}

/* Return the number of low bits that may be set: all bits above are known to be 0. */
unsigned int scalar_width(const struct scalar *s);
/* Whether @all includes each value that @s can have. */
bool scalar_within(const struct scalar *all, const struct scalar *s);
/* Keep the lower @size bytes, less than 8, and clear the others. */
void scalar_truncate(struct scalar *s, unsigned int size);
/* Sign-extend the lower @bits to 64 bits, or with @half to the lower half. */
void scalar_extend(struct scalar *s, unsigned int bits, bool half);
/* Clear the upper half. */
void scalar_zext(struct scalar *s);
/* Narrow the known bits and the bounds by each other, in the order that the verifier has. */
void scalar_sync(struct scalar *s);

/* Apply the ALU operation of @code: @dst = @dst op @src. */
void scalar_alu(struct scalar *dst, const struct scalar *src, uint8_t code);
/* Add to, or subtract from, the 64-bit bounds of @dst those of @src. */
void scalar_bounds_add(struct scalar *dst, const struct scalar *src);
void scalar_bounds_sub(struct scalar *dst, const struct scalar *src);
/* Add @delta to @s, without narrowing the result afterwards. */
void scalar_add_const(struct scalar *s, int32_t delta);

/* Return 1 when the jump is always taken, 0 when never, else -1. @op is BPF_OP() of the code. */
int scalar_branch(const struct scalar *a, const struct scalar *b, uint8_t op, bool half);
/* Narrow @a and @b: the comparison "@a @op @b" is known to be @taken, or not. */
void scalar_learn(struct scalar *a, struct scalar *b, uint8_t op, bool taken, bool half);
/* Return the operator that gives the same result with the operands exchanged. */
uint8_t branch_flip(uint8_t op);

/* Combine known bits: of two descriptions of one number, of a sum, of a difference. */
struct bits bits_both(struct bits a, struct bits b);
struct bits bits_add(struct bits a, struct bits b);
struct bits bits_sub(struct bits a, struct bits b);

#endif /* EXPLAIN_SCALAR_H */
