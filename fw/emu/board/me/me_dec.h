/* SPDX-License-Identifier: BSD-2-Clause */
/* me_dec.h - what the parts of the decoder share: fields of a word, operands. */
#ifndef ME_DEC_H
#define ME_DEC_H

#include "me_int.h"

#define BIT(w, n)	((unsigned int)((w) >> (n)) & 1)
#define BITS(w, hi, lo)	((unsigned int)((w) >> (lo)) & ((1u << ((hi) - (lo) + 1)) - 1))

enum me_file { FILE_LM, FILE_A, FILE_B, FILE_XFER, FILE_IMM };

static inline void me_refuse(struct me_insn *in, enum me_fault_reason why)
{
	*in = (struct me_insn){ .op = ME_OP_FAULT, .x = why, .pc = in->pc };
}

static inline void me_swap(struct me_insn *in)
{
	uint16_t a = in->a;

	in->a = in->b;
	in->b = a;
}

/* me_operand.c */

/**
 * me_ur(), me_re() - decode an operand of 10 bits (unrestricted) or 8 bits (restricted)
 * @bank: bank of a GPR
 * @lm_hi: use LM pointers 2 and 3
 * @i8: bit 7 of a restricted immediate, which is in another field
 * @dst: as a destination
 *
 * Return: false if the meaning is not known.
 */
bool me_ur(enum me_mode mode, unsigned int v, enum me_reg bank, bool lm_hi, bool dst, uint16_t *o);
bool me_re(enum me_mode mode, unsigned int v, enum me_reg bank, bool lm_hi, bool i8, bool dst,
	   uint16_t *o);

enum me_file me_file(unsigned int o);	/* Each GPR bank is a file. */

/*
 * Check that both operands are in different register files, as the assembler and the JIT compiler
 * do. Else @in becomes a fault.
 */
bool me_pair_ok(struct me_insn *in);

/* me_decode_flow.c, me_decode_cmd.c */
void me_decode_csr(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_br(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_br_bit(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_br_byte(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_rtn(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_arb(uint64_t w, enum me_mode mode, struct me_insn *in);
void me_decode_cmd(uint64_t w, enum me_mode mode, struct me_insn *in);

#endif /* ME_DEC_H */
