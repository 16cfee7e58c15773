/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * me_int.h - the decoded form of microengine instructions.
 *
 * Each word of an image has a struct me_insn at the same place, so a code address is an index.
 * After these come copies of defer slots, for branches and commands that have any. Each copy ends
 * with an entry that continues the flow, so nothing counts slots at run time.
 */
#ifndef ME_INT_H
#define ME_INT_H

#include "me.h"

/* Operands in local memory have this bit. All others are indices into me_ctx.reg. */
#define ME_LM		0x8000
#define ME_LM_POST	0x0010	/* post-increment or (bit 0) post-decrement */
#define ME_LM_OFF	0x000f
#define ME_LM_PTR(o)	((o) >> 5 & 3)

/* Instructions that move data. Each has a second form, with operands in local memory. */
#define ME_DATA_OPS(X) \
	X(ALU_B) X(ALU_NOT) X(ALU_AND) X(ALU_ANDNOT) X(ALU_NOTAND) X(ALU_OR) \
	X(ALU_XOR) X(ALU_ADD) X(ALU_ADDC) X(ALU_ADD16) X(ALU_SUB) X(ALU_SUBC) \
	X(SHF_ROR) X(SHF_SHR) X(SHF_SHL) X(SHF_DBL) X(SHF_ASR) \
	X(SHF_SHR_IND) X(SHF_SHL_IND) X(SHF_DBL_IND) X(SHF_ASR_IND) \
	X(LDF_ROR) X(LDF_SHR) X(LDF_SHL) X(IMMED) X(IMMED_W)

#define ME_FLOW_OPS(X) \
	X(MUL_START) X(MUL_STEP) X(MUL_LAST) X(CSR_WR) X(CSR_RD) \
	X(BEQ) X(BNE) X(BMI) X(BHS) X(BLO) X(BGE) X(BLT) X(BR) \
	X(BR_BSET) X(BR_BCLR) X(BR_BYTE_EQ) X(BR_BYTE_NE) X(RTN) X(CTX_ARB) \
	X(CMD) X(CMD_DEFER) \
	X(CMD_FIRE) X(JUMP) X(RTN_GO) X(OUTSIDE) X(FAULT)

enum me_op {
#define ME_OP2(n) ME_OP_##n, ME_OP_##n##_LM,
#define ME_OP1(n) ME_OP_##n,
	ME_DATA_OPS(ME_OP2)
	ME_FLOW_OPS(ME_OP1)
#undef ME_OP1
#undef ME_OP2
	ME_OPS
};

/*
 * Use of the fields by kind of instruction:
 *	shift	x amount, y operation that combines (ME_SHF_*)
 *	ld_field x amount as encoded, y 1: clear the other bytes, imm mask
 *	immed	imm the value, shifted already, x byte shift, y ME_IMMED_*
 *	multiply x step (ME_MUL_*), y type
 *	CSR	d0 address of the CSR
 *	branch	x defer slots, y cycles lost besides, d1 target address, imm index
 *		of the entry that follows when the branch is taken
 *	command	act operation, x count field, y signal, d0 transfer register, d1
 *		ME_CMD_*, imm (ME_OP_CMD_DEFER) index of the copied slots
 *	ctx_arb	d0 signals, x 1: any of them is enough
 *	fault	x reason
 */
struct me_insn {
	uint8_t op;
	uint8_t x;
	uint8_t y;
	uint8_t act;		/* enum me_act */
	uint16_t a;
	uint16_t b;
	uint16_t d0;
	uint16_t d1;
	uint16_t pc;
	uint32_t imm;
};

/* alu_shf: y has two masks of one bit, see SHIFT in me_exec.c */
#define ME_SHF_AND	0
#define ME_SHF_B	1
#define ME_SHF_OR	3

#define ME_IMMED_INV	1
#define ME_IMMED_NODST	2

#define ME_MUL_16	2	/* types as encoded */
#define ME_MUL_32	3
#define ME_MUL_LAST	4	/* steps as encoded */
#define ME_MUL_LAST2	5

/* ctx field: swap out after 0, 1 or 2 more instructions; 3: do not swap */
#define ME_CMD_CTX	0x03
#define ME_CMD_NO_SWAP	0x03
#define ME_CMD_INDIR	0x10
#define ME_CMD_MU	0x20	/* a memory unit; 0: packet addressing */

enum me_act {
	ME_ACT_READ32_SWAP,
	ME_ACT_READ8,
	ME_ACT_WRITE8_SWAP,
	ME_ACT_WRITE32_SWAP,
	ME_ACT_ADD,
	ME_ACT_ADD_IMM,
};

#define ME_CSR_LM0	0x064
#define ME_CSR_LM1	0x06c
#define ME_CSR_LM2	0x094
#define ME_CSR_LM3	0x09c
#define ME_CSR_RANDOM	0x148

/* Return: true for branches, whose fields d1, x, y and imm are described above. */
static inline bool me_is_branch(unsigned int op)
{
	return op >= ME_OP_BEQ && op <= ME_OP_RTN;
}

struct me_image {
	unsigned int refs;
	unsigned int start;
	unsigned int n;
	uint64_t *word;		/* the n words without ECC, for fault records */
	struct me_insn insn[];
};

/*
 * me_decode.c: decode a word; branches are linked later. A word that is not supported becomes
 * ME_OP_FAULT.
 */
void me_decode(uint64_t word, struct me_insn *in);

/* me_exec.c */
enum me_stop {
	ME_STOP_BUDGET,
	ME_STOP_OUTSIDE,
	ME_STOP_ARB,
	ME_STOP_FAULT,
};

enum me_stop me_exec(struct me *me, struct me_ctx *c, uint64_t budget);

/* me_cmd.c. me_cmd() returns ME_FAULT_NONE or the reason of a fault. */
uint64_t me_cmd_addr(const struct me_insn *in, uint32_t a, uint32_t b);
enum me_fault_reason me_cmd(struct me *me, struct me_ctx *c, const struct me_insn *in,
			    uint64_t addr, uint32_t prev);

#endif /* ME_INT_H */
