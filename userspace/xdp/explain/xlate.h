/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * xlate.h - a program as the driver's JIT sees it: only how long the result is.
 *
 * Follows nfp/bpf/jit.c of Linux 6.12, with the oddities of its optimizations:
 * the count must be the driver's.
 */
#ifndef EXPLAIN_XLATE_H
#define EXPLAIN_XLATE_H

#include "walk.h"

/**
 * struct xinsn - an instruction on its way through the JIT
 * @insn: as the JIT has changed it
 * @info: what the verifier knows of it
 * @dead: taken out by the verifier
 * @skip: taken out by the JIT
 * @target: jumps lead here
 * @negated: a comparison adds, instead of subtracting a negative constant
 * @func: the function it is in
 * @gather: first of loads and stores that copy so many bytes (negative: downwards)
 * @pair: the store of @gather
 * @cache_from, @cache_to: range of packet that is read once for several loads
 * @cache_load: which happens here
 */
struct xinsn {
	struct bpf_insn insn;
	const struct insn_info *info;
	bool dead, skip, target, negated, func_start, cache_load;
	int func;
	int gather, pair;
	int16_t cache_from, cache_to;
};

/**
 * struct xlate - a program on its way through the JIT
 * @push: a function uses r6 to r9
 * @depth: bytes of its frame
 * @open_copy: first load of a copy that the driver has not ended, which it
 *	does not survive
 */
struct xlate {
	struct walk *w;
	struct xinsn *x;
	int n;
	bool push[FUNCS];
	unsigned int depth[FUNCS];
	const struct xinsn *open_copy;
};

static inline bool x_gone(const struct xinsn *x)
{
	return x->dead || x->skip;
}

static inline bool x_load(const struct xinsn *x)
{
	return (x->insn.code & ~0x18) == (BPF_LDX | BPF_MEM);
}

static inline bool x_store(const struct xinsn *x)
{
	return (x->insn.code & ~0x18) == (BPF_STX | BPF_MEM);
}

/* ---- optimize.c ---- */
void xlate_prepare(struct xlate *t);
void xlate_optimize(struct xlate *t);

/* ---- size_mem.c: words of a load, a store, an atomic addition ---- */
unsigned int words_load(const struct xlate *t, const struct xinsn *x);
unsigned int words_store(const struct xlate *t, const struct xinsn *x);
unsigned int words_add(const struct xinsn *x);

/* Words that put a constant into a register; none where it fits an operand */
unsigned int words_immed(uint32_t imm);
unsigned int words_operand(uint32_t imm);
unsigned int words_operand_short(uint32_t imm);

static inline unsigned int words_zext(const struct xinsn *x)
{
	return x->info->zext;
}

#endif /* EXPLAIN_XLATE_H */
