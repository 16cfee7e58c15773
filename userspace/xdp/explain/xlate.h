/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * xlate.h - a program as the driver's JIT translates it, for the length of the result.
 *
 * The translation follows nfp/bpf/jit.c of Linux 6.12 in every detail, also where its
 * optimizations miss a case: the count of instructions has to equal the driver's.
 */
#ifndef EXPLAIN_XLATE_H
#define EXPLAIN_XLATE_H

#include "walk.h"

/**
 * struct xinsn - an instruction while it is translated
 * @insn: the instruction; the JIT's optimizations change it
 * @info: what the walk has found out about it
 * @dead: removed by the verifier
 * @skip: removed by the JIT
 * @target: a jump leads to it
 * @negated: a comparison with a negative constant: the JIT adds the negated constant
 * @func: number of the function that contains it
 * @gather: in the first load of a copy: number of bytes, negative for descending addresses
 * @pair: the store that belongs to this load
 * @cache_from, @cache_to: range of the packet that is read once for several loads
 * @cache_load: the range is read here
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
 * struct xlate - a program while it is translated
 * @push: for each function, whether it uses r6 to r9
 * @depth: for each function, bytes of its frame
 * @open_copy: first load of a copy that the driver has not ended: the driver crashes
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

/*
 * Instructions that put a constant into a register. words_operand() and words_operand_short()
 * return 0 for a constant that fits into the operand of an instruction.
 */
unsigned int words_immed(uint32_t imm);
unsigned int words_operand(uint32_t imm);
unsigned int words_operand_short(uint32_t imm);

static inline unsigned int words_zext(const struct xinsn *x)
{
	return x->info->zext;
}

#endif /* EXPLAIN_XLATE_H */
