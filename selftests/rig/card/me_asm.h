/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * me_asm.h - assemble microengine instructions, for tests.
 *
 * One function for each instruction, with operands in the order of the vendor's assembler. The
 * functions choose banks and swap operands as that assembler does. They are written from the
 * field positions in nfp_asm.h, independently of the decoder under test.
 */
#ifndef ME_ASM_H
#define ME_ASM_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum asm_kind { AK_NONE, AK_A, AK_B, AK_BOTH, AK_X, AK_LM, AK_INC, AK_DEC, AK_IMM,
		AK_X8, AK_ABS_A, AK_ABS_B, AK_INDEX };

/* An operand. @n: its number or value; local memory: the offset. @p: local memory: the pointer. */
typedef struct { enum asm_kind k; unsigned int n, p; } opnd;

#define NONE	((opnd){ AK_NONE, 0, 0 })
#define A(i)	((opnd){ AK_A, (i), 0 })
#define B(i)	((opnd){ AK_B, (i), 0 })
#define AB(i)	((opnd){ AK_BOTH, (i), 0 })	/* destination: both banks */
#define X(i)	((opnd){ AK_X, (i), 0 })
#define LM(i, o) ((opnd){ AK_LM, (o), (i) })
#define LMINC(i) ((opnd){ AK_INC, 0, (i) })
#define LMDEC(i) ((opnd){ AK_DEC, 0, (i) })
#define I(v)	((opnd){ AK_IMM, (v), 0 })
/* Firmware of whole microengines: */
#define X8(i)	((opnd){ AK_X8, (i), 0 })	/* transfer register, eight-context mode */
#define ABS_A(i) ((opnd){ AK_ABS_A, (i), 0 })	/* GPR of any context */
#define ABS_B(i) ((opnd){ AK_ABS_B, (i), 0 })
#define INDEX	((opnd){ AK_INDEX, 0, 0 })	/* transfer register that XferIndex selects */
#define INDEXINC ((opnd){ AK_INDEX, 1, 0 })
#define INDEXDEC ((opnd){ AK_INDEX, 2, 0 })

enum alu_op { B_ = 0x00, ADD = 0x01, NOT_ = 0x04, ADD16 = 0x05, AND_ = 0x08, NOTAND = 0x0c,
	      SUBC = 0x0d, ANDNOT = 0x10, ADDC = 0x11, OR_ = 0x14, SUB = 0x15, XOR_ = 0x18,
	      ADD8 = 0x09, FFS = 0x0e, RSUB = 0x19 };
enum shf_sc { ROT, SHR, SHL, DBL };
enum br_cond { EQ, NE, MI, PL, HS, LO, VS, VC, GE, LT, LE, GT, ALWAYS = 0x18,
	       IS_CTX = 0x10, NOT_CTX, SIGNALLED, NOT_SIGNALLED };

static inline bool is_lm(opnd o)
{
	return o.k == AK_LM || o.k == AK_INC || o.k == AK_DEC;
}

uint64_t alu(opnd d, opnd l, enum alu_op op, opnd r);

/* alu, alu_shf: do not change the flags; ld_field: change them */
static inline uint64_t no_cc(uint64_t w)
{
	return w | 1ull << 40;
}

static inline uint64_t load_cc(uint64_t w)
{
	return w | 1ull << 34;
}

/* A shift amount of 0 means: take the amount from a register. For a rotation 0 means 0. */
uint64_t shf_op(opnd d, opnd l, unsigned int op, opnd r, enum shf_sc sc, unsigned int n);

static inline uint64_t shf(opnd d, opnd r, enum shf_sc sc, unsigned int n)
{
	return shf_op(d, NONE, 0, r, sc, n);
}

static inline uint64_t shf_and(opnd d, opnd l, opnd r, enum shf_sc sc, unsigned int n)
{
	return shf_op(d, l, 2, r, sc, n);
}

static inline uint64_t shf_or(opnd d, opnd l, opnd r, enum shf_sc sc, unsigned int n)
{
	return shf_op(d, l, 5, r, sc, n);
}

static inline uint64_t dbl_shf(opnd d, opnd l, opnd r, unsigned int n)
{
	return shf_op(d, l, 0, r, DBL, n);
}

static inline uint64_t asr(opnd d, opnd r, unsigned int n)
{
	return shf_op(d, NONE, 6, r, SHR, n);
}

/* @mask: one bit for each byte, as in the assembler's text: bit 3 is the leftmost byte. */
uint64_t ld_field_any(opnd d, unsigned int mask, opnd s, enum shf_sc sc, unsigned int n, bool clr);

static inline uint64_t ld_field(opnd d, unsigned int mask, opnd s, enum shf_sc sc, unsigned int n)
{
	return ld_field_any(d, mask, s, sc, n, false);
}

static inline uint64_t ld_field_clr(opnd d, unsigned int mask, opnd s, enum shf_sc sc,
				    unsigned int n)
{
	return ld_field_any(d, mask, s, sc, n, true);
}

/* @shift: number of bytes. @half: write only the 16 bits at that position. */
uint64_t immed_any(opnd d, unsigned int v, unsigned int shift, bool inv, bool half);

static inline uint64_t immed(opnd d, unsigned int v)
{
	return immed_any(d, v, 0, false, false);
}

static inline uint64_t immed_b(opnd d, unsigned int v, unsigned int byte)
{
	return immed_any(d, v, byte, false, false) | 1ull << 29;
}

static inline uint64_t immed_w1(opnd d, unsigned int v)
{
	return immed_any(d, v, 2, false, true);
}

#define NOP	0xf0000c0300ull

uint64_t mul_any(opnd d, opnd l, unsigned int type, unsigned int step, opnd r);

static inline uint64_t mul_start(opnd l, opnd r)
{
	return mul_any(NONE, l, 0, 0, r);
}

static inline uint64_t mul_step(opnd l, unsigned int bits, unsigned int step, opnd r)
{
	return mul_any(NONE, l, bits == 16 ? 2 : 3, step - 1, r);
}

static inline uint64_t mul_last(opnd d, unsigned int bits)
{
	return mul_any(d, NONE, bits == 16 ? 2 : 3, 4, NONE);
}

static inline uint64_t mul_last2(opnd d)
{
	return mul_any(d, NONE, 3, 5, NONE);
}

#define CSR_LM(i)	((const unsigned int []){ 0x64, 0x6c, 0x94, 0x9c }[i])
#define CSR_RANDOM	0x148
enum { CSR_ENABLES = 0x18, CSR_STATUS = 0x44, CSR_WAKEUP = 0x54, CSR_ALARM = 0x5c,
       CSR_BYTE_INDEX = 0x70, CSR_INDEX = 0x74, CSR_ALARM_SIGNAL = 0x7c, CSR_TIME_LOW = 0xc0,
       CSR_TIME_HIGH = 0xc4, CSR_INDEX_BYTE = 0xf4, CSR_SIGNAL = 0x108, CSR_MAILBOX = 0x170,
       CSR_REF0 = 0x190 };

uint64_t csr_wr(unsigned int csr, opnd s);

static inline uint64_t csr_rd(unsigned int csr)
{
	return 0xfc00000000 | (uint64_t)csr / 4 << 22;
}

uint64_t br(enum br_cond cond, unsigned int addr, unsigned int defer);
uint64_t br_bit(opnd s, unsigned int bit, bool set, unsigned int addr, unsigned int defer);
uint64_t br_byte(opnd s, unsigned int byte, unsigned int v, bool eq, unsigned int addr,
		 unsigned int defer);
/* br=ctx, br!=ctx, br_signal, br_!signal: @n is the context or signal */
uint64_t br_state(enum br_cond cond, unsigned int n, unsigned int addr, unsigned int defer);
uint64_t rtn(opnd s, unsigned int defer);
uint64_t jump(opnd s, unsigned int base, unsigned int defer);

static inline uint64_t ctx_arb(unsigned int signals, bool any)
{
	return 0xe000000000 | signals | (uint64_t)any << 16;
}

#define VOLUNTARY	1
#define ARB_KILL	0xe000010000ull
#define ARB_BPT		0xe000020000ull
#define ARB_CSR		0xe000080000ull	/* ctx_arb[--] */

/* Add a target, at which the context continues, or defer slots. */
static inline uint64_t arb_br(uint64_t w, unsigned int addr)
{
	return w | 1 << 18 | (uint64_t)(addr & 0x1fff) << 22 | (uint64_t)(addr >> 13) << 40;
}

static inline uint64_t arb_defer(uint64_t w, unsigned int defer)
{
	return w | (uint64_t)defer << 20;
}

/* Values are tgtcmd << 2 | token of cmd_tgt_act[] in nfp_asm.c */
enum cmd_act { READ32_SWAP = 0x5c << 2 | 2, READ8 = 0x43 << 2 | 1, WRITE8_SWAP = 0x42 << 2 | 2,
	       WRITE32_SWAP = 0x5f << 2 | 2, CADD = 0x47 << 2, CADD_IMM = 0x47 << 2 | 2 };
#define MEM(action, token)	(0x40u << 2 | (action) << 2 | (token))
#define CT(action, token)	(7u << 4 | (action) << 2 | (token))
enum cmd_mode { A_HIGH = 0, MU = 1, PKT = 4 };
enum cmd_swap { SWAP, SWAP_DEFER1, SWAP_DEFER2, NO_SWAP };

/* @len: the encoded length, which is the length minus 1 */
uint64_t cmd(unsigned int act, enum cmd_mode mode, unsigned int xfer, opnd l, opnd r,
	     unsigned int len, enum cmd_swap swp);

static inline uint64_t cmd_indir(unsigned int act, enum cmd_mode mode, unsigned int xfer,
				 opnd l, opnd r, unsigned int len, enum cmd_swap swp)
{
	return cmd(act, mode, xfer, l, r, len, swp) | 1ull << 41;
}

/* A command that does not swap, and ends with a signal */
static inline uint64_t cmd_sig(unsigned int act, unsigned int xfer, opnd l, opnd r,
			       unsigned int len, unsigned int sig)
{
	return cmd(act, MU, xfer, l, r, len, NO_SWAP) | (uint64_t)sig << 28;
}

#endif /* ME_ASM_H */
