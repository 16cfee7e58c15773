/* SPDX-License-Identifier: BSD-2-Clause */
/* emit_int.h - what emit.c and emit_call.c share. */
#ifndef EMIT_INT_H
#define EMIT_INT_H

#include "emit.h"

struct emit {
	struct image *img;
	const struct mfunc *f;
	struct where at;
	unsigned int *start;	/* code address of each block */
	unsigned int begin;	/* words from here on may go to slots that follow */
	struct fixup {
		unsigned int word, block;
	} *fix;
	unsigned int fixes;
	unsigned int ready[4];	/* address of the first instruction that may use a pointer */
};

bool emit_same(const struct emit *e, struct en_opnd a, struct en_opnd b);
/* Append an instruction, after a wait for the local memory pointers that it uses. */
struct word *emit_put(struct emit *e, struct en_insn in);
void emit_mov(struct emit *e, struct en_opnd d, struct en_opnd v);
void emit_imm(struct emit *e, struct en_opnd d, uint32_t v);
/* Set the pointers to the registers that are kept in local memory. */
void emit_frame_pointers(struct emit *e);

/* emit_call.c */
void emit_call(struct emit *e, const struct minsn *in);
void emit_return(struct emit *e, const struct minsn *in);

#endif /* EMIT_INT_H */
