/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mir.h - the code of a function between LLVM IR and instruction words.
 *
 * Registers are virtual (EN_VREG) until alloc.c has chosen a bank and a number for each. A virtual
 * register may be written at several places. An operation may become several words, which nothing
 * separates: so the condition codes, the result and the A operand that a word takes from the word
 * before it never pass from one operation to another, and register allocation may put code between
 * any two operations.
 */
#ifndef MIR_H
#define MIR_H

#include "encode.h"
#include "mecc.h"
#include "routine.h"

enum mop {
	M_IMM,		/* d = imm */
	M_ADDR,		/* d = address of object sym, plus imm */
	M_MOV,		/* d = s0 */
	M_ALU,		/* d = s0 op s1 */
	M_SHF,		/* d = s0 op (s1 shifted by n) */
	M_SHI,		/* d = s0 shifted by register s1 */
	M_ASR,		/* d = s0 >> n, with sign */
	M_ASRI,		/* d = s0 >> s1, with sign */
	M_DBL,		/* d = low word of (s0:s1 >> n) */
	M_DBLI,		/* d = low word of (s0:s1 >> s2), 0 to 32 */
	M_SEXT,		/* d = s0 << n >> n, with sign */
	M_LDF,		/* bytes mask of d = s0 shifted; flag: clear the others */
	M_MUL,		/* d, d1 = low and high word of s0 * s1; d1 may be none */
	M_WIDE,		/* d1:d = s2:s0 op s3:s1, op is EN_ADD or EN_SUB */
	M_SET,		/* d = 1 if compare(s0, s1), else 0 */
	M_SEL,		/* d = s4 if compare(s0, s1), else s5 */
	M_BCC,		/* if compare(s0, s1) goto target */
	M_BBIT,		/* if bit n of s0 is op goto target */
	M_BR,		/* goto target */
	M_LMP,		/* local memory pointer n = s0 */
	M_READ,		/* $xfer_imm.. = n units of EMEM at s1:s0 */
	M_WRITE,	/* n units of EMEM at s1:s0 = $xfer_imm.. */
	M_ATOMIC,	/* a word of EMEM at s1:s0 op= $xfer_imm, which may get the old value */
	M_CSR_RD,	/* d = local CSR imm */
	M_CSR_WR,	/* local CSR imm = s0 */
	M_ARB,		/* wait for the signals imm; flag: for any of them; alu: for those of the CSR */
	M_SIGNAL,	/* d = 1 if signal n is there, which is taken, else 0 */
	M_PARAM,	/* d = word n of the arguments, or the return address (PARAM_RA) */
	M_CALL,		/* d, d1 = routine imm (s0, s1, ...) */
	M_RET,		/* return s0, s1 to address s2; an entry ends */
};

#define M_SRCS		8
#define PARAM_RA	CALL_WORDS

/**
 * struct minsn - an operation
 * @op: enum mop
 * @alu: enum en_alu (M_ALU, M_WIDE), enum en_shf (M_SHF), enum en_cond (M_SET, M_SEL, M_BCC),
 *	enum en_cmd (M_READ, M_WRITE, M_ATOMIC)
 * @wide: compare the 64-bit numbers s2:s0 and s3:s1
 * @n: also enum en_mul (M_MUL)
 * @imm: also the target, an index into struct mfunc.block
 */
struct minsn {
	uint8_t op;
	uint8_t alu;
	uint8_t sc;
	uint8_t n;
	uint8_t mask;
	uint8_t flag;
	uint8_t wide;
	uint32_t imm;
	uint32_t sym;
	struct where at;
	struct en_opnd d, d1, s[M_SRCS];
};

struct mblock {
	struct minsn *insn;
	unsigned int n;
	unsigned int succ[2], succs;
};

/* The bank that a virtual register has to be in; alloc_bank.c fills in the rest. */
enum bank { BANK_ANY, BANK_A, BANK_B };

struct mvreg {
	uint8_t fixed;		/* enum bank that instructions demand */
	uint8_t bank;		/* enum bank that was chosen */
	uint8_t reg;
	bool temp;		/* made by the allocator, with a short life: not to be spilled */
	uint32_t forbidden[2];	/* numbers in bank A and B that calls write while it is live */
};

struct mfunc {
	const char *name;
	struct where at;
	struct mblock *block;
	unsigned int blocks;
	struct mvreg *vreg;
	unsigned int vregs;
	unsigned int spilled;	/* words of the frame that hold registers */
	uint32_t frame;		/* local memory address of these, a multiple of 64 */
	struct program *program;
	struct routine *self;
};

static inline bool is_vreg(struct en_opnd o)
{
	return o.k == EN_VREG;
}

static inline struct en_opnd vreg(unsigned int n)
{
	return (struct en_opnd){ EN_VREG, 0, n };
}

static inline struct en_opnd imm8(uint32_t v)
{
	return (struct en_opnd){ EN_IMM, 0, v };
}

static inline struct en_opnd lm(unsigned int p, unsigned int words)
{
	return (struct en_opnd){ EN_LM, p, words };
}

static inline struct en_opnd xfer(unsigned int n)
{
	return (struct en_opnd){ EN_XFER, 0, n };
}

unsigned int mir_vreg(struct mfunc *f, enum bank fixed);
/* Return: the register that @o was given if it is a virtual one, or @o. */
struct en_opnd mir_register(const struct mfunc *f, struct en_opnd o);
struct minsn *mir_add(struct mblock *b, const struct minsn *in);
void mir_free(struct mfunc *f);
void mir_print(const struct mfunc *f, const char *title);

/* Does the operation read the old value of its destination? */
bool mir_reads_dst(const struct minsn *in);

/*
 * The pairs of operands that have to be in different register files.
 * Return: their number, at most 3.
 */
unsigned int mir_pairs(const struct minsn *in, struct en_opnd *pair[3][2]);

/* Are the sources with these bits in *mask (of s) read after the destination is written? */
unsigned int mir_late(const struct minsn *in);

#endif /* MIR_H */
