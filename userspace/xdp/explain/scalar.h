/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scalar.h - what is known of a 64-bit number: its bits, and its bounds as
 * signed and unsigned number of 64 and of 32 bits.
 *
 * The driver decides by what the kernel's verifier (6.12) knows: neither less
 * nor more may be known here, so results are those of its rules, step by step.
 */
#ifndef EXPLAIN_SCALAR_H
#define EXPLAIN_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct bits - a number some bits of which are not known
 * @value: the known bits, 0 where not known
 * @unknown: 1 where not known
 */
struct bits {
	uint64_t value;
	uint64_t unknown;
};

/**
 * struct scalar - a number
 * @bits: what is known bit by bit
 * @umin: least and most, unsigned, signed, and of the lower half alone
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

/* Constant, of the lower half when @half. */
static inline bool scalar_half_const(const struct scalar *s, bool half)
{
	return !(half ? (uint32_t)s->bits.unknown : s->bits.unknown);
}

static inline bool scalar_is_zero(const struct scalar *s)
{
	return !s->bits.unknown && !s->bits.value;
}

/* How many bits may be other than 0, from the lowest on. */
unsigned int scalar_width(const struct scalar *s);
/* Whatever @s can be @all can be, too. */
bool scalar_within(const struct scalar *all, const struct scalar *s);
/* Only the lower @size bytes stay (less than 8). */
void scalar_truncate(struct scalar *s, unsigned int size);
/* The lower @bits are a signed number, of 64 bits or of the lower half. */
void scalar_extend(struct scalar *s, unsigned int bits, bool half);
/* The upper half becomes 0. */
void scalar_zext(struct scalar *s);
/* Make bits and bounds agree, each as narrow as the others allow. */
void scalar_sync(struct scalar *s);

/* @dst = @dst <operation of @code> @src, for the code of an ALU instruction. */
void scalar_alu(struct scalar *dst, const struct scalar *src, uint8_t code);
/* Bounds of 64 bits: @dst += @src, @dst -= @src. */
void scalar_bounds_add(struct scalar *dst, const struct scalar *src);
void scalar_bounds_sub(struct scalar *dst, const struct scalar *src);
/* @s += @delta, nothing narrowed afterwards. */
void scalar_add_const(struct scalar *s, int32_t delta);

/* 1 or 0: the jump is (never) taken; -1: may be. @op is BPF_OP() of its code. */
int scalar_branch(const struct scalar *a, const struct scalar *b, uint8_t op, bool half);
/* Learn from "@a @op @b" being @taken. */
void scalar_learn(struct scalar *a, struct scalar *b, uint8_t op, bool taken, bool half);
/* @op for operands the other way round. */
uint8_t branch_flip(uint8_t op);

/* What is known by either of two, the sum, and the difference */
struct bits bits_both(struct bits a, struct bits b);
struct bits bits_add(struct bits a, struct bits b);
struct bits bits_sub(struct bits a, struct bits b);

#endif /* EXPLAIN_SCALAR_H */
