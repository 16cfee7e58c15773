/* SPDX-License-Identifier: BSD-2-Clause */
/* me_alu.h - what instructions compute: products, shifts, alignment of bytes. */
#ifndef ME_ALU_H
#define ME_ALU_H

#include "me_int.h"

static inline uint64_t mul_product(const struct me_ctx *c)
{
	if (c->mul_type == ME_MUL_16)
		return (uint64_t)(c->mul_a & 0xffff) * (c->mul_b & 0xffff);
	if (c->mul_type == ME_MUL_24)
		return (uint64_t)(c->mul_a & 0xffffff) * (c->mul_b & 0xff);
	return (uint64_t)c->mul_a * c->mul_b;
}

/* Multiply steps must be of one type and in order. mul_next is the only step that may follow. */
static inline bool mul_step(struct me_ctx *c, const struct me_insn *in)
{
	if (in->x != c->mul_next || (in->x && in->y != c->mul_type))
		return false;
	c->mul_type = in->y;
	c->mul_next++;
	/* The last partial product is followed by the read of the sum. */
	if (c->mul_next == (in->y == ME_MUL_16 ? 2 : in->y == ME_MUL_32 ? 4 : 1))
		c->mul_next = ME_MUL_LAST;
	return true;
}

static inline uint32_t ror(uint32_t v, unsigned int n)
{
	return v >> n | v << (-n & 31);
}

static inline uint32_t asr(uint32_t v, unsigned int n, uint32_t sign)
{
	/* Shift right, and fill with the sign. n may be 0. */
	return v >> n | (sign >> 31 && n ? UINT32_MAX << (32 - n) : 0);
}

static inline uint32_t dbl(uint32_t hi, uint32_t lo, unsigned int n)
{
	return ((uint64_t)hi << 32 | lo) >> n;
}

/* alu_shf with ~B, ~AND or AND~ */
static inline uint32_t shf_not(const struct me_insn *in, uint32_t a, uint32_t b, uint32_t prev_a)
{
	unsigned int n = in->x ? in->x : prev_a & 31;

	b = in->imm == 0 ? ror(b, in->x) : in->imm == 1 ? b >> n : b << n;
	return in->y == ME_SHF_NOT_B ? ~b : in->y == ME_SHF_NOT_AND ? ~a & b : a & ~b;
}

/* The upper or lower half of two words that are shifted by bytes: the previous one and @v. */
static inline uint32_t align_be(struct me_ctx *c, unsigned int bytes, uint32_t v)
{
	uint64_t both = (uint64_t)c->align << 32 | v;

	c->align = v;
	return both << (8 * bytes) >> 32;
}

static inline uint32_t align_le(struct me_ctx *c, unsigned int bytes, uint32_t v)
{
	uint64_t both = (uint64_t)v << 32 | c->align;

	c->align = v;
	return both >> (8 * bytes);
}

#endif /* ME_ALU_H */
