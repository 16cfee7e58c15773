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

/*
 * Operands outside of the context's registers have ME_FAR and a kind. All others are indices into
 * me_ctx.reg.
 */
#define ME_FAR		0x8000
#define ME_KIND		0xe000
#define ME_LM		0x8000	/* local memory */
#define ME_LM_POST	0x0010	/* post-increment or (bit 0) post-decrement */
#define ME_LM_OFF	0x000f
#define ME_LM_PTR(o)	((o) >> 5 & 3)
#define ME_ABS		0xa000	/* a GPR of any context, by its absolute number */
#define ME_ABS_B	0x0100	/* bank */
#define ME_ABS_CTX(o)	((o) >> 5 & 7)
#define ME_ABS_REG(o)	((o) & 0x1f)
#define ME_XIDX		0xc000	/* the transfer register that XferIndex selects */
#define ME_XIDX_INC	0x0001
#define ME_XIDX_DEC	0x0002

static inline bool me_is_lm(unsigned int o)
{
	return (o & ME_KIND) == ME_LM;
}

/*
 * Instructions that move data. Each has three forms: operands in registers; some in local memory;
 * any operands, and an unusual use of the flags (me_insn.act).
 */
#define ME_DATA_OPS(X) \
	X(ALU_B) X(ALU_NOT) X(ALU_AND) X(ALU_ANDNOT) X(ALU_NOTAND) X(ALU_OR) \
	X(ALU_XOR) X(ALU_ADD) X(ALU_ADDC) X(ALU_ADD16) X(ALU_SUB) X(ALU_SUBC) \
	X(ALU_ADD8) X(ALU_RSUB) X(ALU_FFS) \
	X(SHF_ROR) X(SHF_SHR) X(SHF_SHL) X(SHF_DBL) X(SHF_ASR) \
	X(SHF_SHR_IND) X(SHF_SHL_IND) X(SHF_DBL_IND) X(SHF_ASR_IND) \
	X(SHF_NOT) X(ALIGN_BE) X(ALIGN_LE) \
	X(LDF_ROR) X(LDF_SHR) X(LDF_SHL) X(IMMED) X(IMMED_W) X(IMMED_B)

#define ME_FLOW_OPS(X) \
	X(MUL_START) X(MUL_STEP) X(MUL_LAST) X(LM_WR) X(CSR_WR) X(CSR_RD) \
	X(BEQ) X(BNE) X(BMI) X(BPL) X(BHS) X(BLO) X(BVS) X(BVC) X(BGE) X(BLT) X(BLE) X(BGT) \
	X(BR) X(BR_CTX) X(BR_NCTX) X(BR_SIG) X(BR_NSIG) \
	X(BR_BSET) X(BR_BCLR) X(BR_BYTE_EQ) X(BR_BYTE_NE) X(RTN) \
	X(CTX_ARB) X(ARB_BR) X(ARB_DEFER) X(BPT) \
	X(CMD) X(CMD_DEFER) X(BUS) X(BUS_DEFER) \
	X(CMD_FIRE) X(BUS_FIRE) X(ARB_FIRE) X(JUMP) X(RTN_GO) X(OUTSIDE) X(FAULT)

enum me_op {
#define ME_OP3(n) ME_OP_##n, ME_OP_##n##_LM, ME_OP_##n##_FAR,
#define ME_OP1(n) ME_OP_##n,
	ME_DATA_OPS(ME_OP3)
	ME_FLOW_OPS(ME_OP1)
#undef ME_OP1
#undef ME_OP3
	ME_OPS
};

/* Return: the operation without its form. */
static inline unsigned int me_op(unsigned int op)
{
	return op < ME_OP_MUL_START ? op - op % 3 : op;
}

/*
 * Use of the fields by kind of instruction:
 *	data	act ME_CC_*
 *	shift	x amount, y operation that combines (ME_SHF_*); SHF_NOT: imm direction
 *	ld_field x amount as encoded, y 1: clear the other bytes, imm mask
 *	immed	imm the value, shifted already, x byte shift, y ME_IMMED_*
 *	multiply x step (ME_MUL_*), y type
 *	CSR	d0 address of the CSR
 *	branch	x defer slots, y cycles lost besides, d1 target address, imm index
 *		of the entry that follows when the branch is taken; d0 bit, byte,
 *		signal or context. RTN: d1 is added to the register
 *	command	act operation, x count field, y signal, d0 transfer register, d1
 *		ME_CMD_*, imm (*_DEFER) index of the copied slots
 *	ctx_arb	d0 signals, x 1: any of them is enough, y ME_ARB_*, act defer slots, d1
 *		and imm as for a branch
 *	fault	x reason
 */
struct me_insn {
	uint8_t op;
	uint8_t x;
	uint8_t y;
	uint8_t act;		/* CMD: enum me_act; BUS: the word's field of target and action */
	uint16_t a;
	uint16_t b;
	uint16_t d0;
	uint16_t d1;
	uint16_t pc;
	uint32_t imm;
};

#define ME_CC_KEEP	1	/* no_cc: the flags keep their values */
#define ME_CC_LOAD	2	/* load_cc: the result sets N and Z */

/* alu_shf: y has two masks of one bit, see SHIFT in me_exec.c */
#define ME_SHF_AND	0
#define ME_SHF_B	1
#define ME_SHF_OR	3
/* SHF_NOT: y is the operation as encoded, imm the shift control as encoded */
#define ME_SHF_NOT_B	1
#define ME_SHF_NOT_AND	3
#define ME_SHF_AND_NOT	4

#define ME_IMMED_INV	1
#define ME_IMMED_NODST	2

#define ME_MUL_24	1	/* types as encoded */
#define ME_MUL_16	2
#define ME_MUL_32	3
#define ME_MUL_LAST	4	/* steps as encoded */
#define ME_MUL_LAST2	5

#define ME_ARB_CSR	1	/* ctx_arb[--]: the signals are those of ActCtxWkpEvt */
#define ME_ARB_BR	2	/* continue at a target */

/* ctx field: swap out after 0, 1 or 2 more instructions; 3: do not swap */
#define ME_CMD_CTX	0x03
#define ME_CMD_NO_SWAP	0x03
#define ME_CMD_INDIR	0x10
#define ME_CMD_MU	0x20	/* address of 40 bits, (B << 8) + A */
#define ME_CMD_A_HIGH	0x40	/* address of 40 bits, (A << 8) + B. Neither: 32 bits, A + B */
#define ME_CMD_TOKEN(d)	((d) >> 12 & 3)

enum me_act {
	ME_ACT_READ32_SWAP,
	ME_ACT_READ8,
	ME_ACT_WRITE8_SWAP,
	ME_ACT_WRITE32_SWAP,
	ME_ACT_ADD,
	ME_ACT_ADD_IMM,
};

/* Return: true for branches, whose fields d1, x, y and imm are described above. */
static inline bool me_is_branch(unsigned int op)
{
	return op >= ME_OP_BEQ && op <= ME_OP_RTN;
}

struct me_image {
	unsigned int refs;
	enum me_mode mode;
	unsigned int start;
	unsigned int n;
	uint64_t *word;		/* the n words without ECC, for fault records */
	struct me_insn insn[];
};

/*
 * me_decode.c: decode a word; branches are linked later. A word that is not supported becomes
 * ME_OP_FAULT.
 */
void me_decode(uint64_t word, enum me_mode mode, struct me_insn *in);

/* me_exec.c */
enum me_stop {
	ME_STOP_BUDGET,
	ME_STOP_OUTSIDE,
	ME_STOP_ARB,
	ME_STOP_FAULT,
};

enum me_stop me_exec(struct me *me, struct me_ctx *c, uint64_t budget);

/* me.c: run a context; @alone: until it waits, else until it swaps out. */
bool me_ready(const struct me_ctx *c);
enum me_status me_run_ctx(struct me *me, struct me_ctx *c, uint64_t budget, bool alone);

/*
 * me_reg.c: the register that a far operand other than local memory selects, at cycle @now of the
 * microengine. @why is set if there is none.
 */
uint32_t *me_far(struct me *me, const struct me_ctx *c, unsigned int o, bool dst, uint64_t now,
		 enum me_fault_reason *why);

/* me_csr.c: local CSRs, at cycle @now of the microengine. */
#define ME_CSR_CTX_ENABLES	0x018
#define ME_CSR_LM0		0x064
#define ME_CSR_LM1		0x06c
#define ME_CSR_LM2		0x094
#define ME_CSR_LM3		0x09c
#define ME_CSR_RANDOM		0x148

/* Return: the number of the LM pointer that a CSR is, or -1. */
int me_csr_lm(unsigned int csr);
const char *me_csr_name(unsigned int csr);	/* NULL: none is known */
enum me_fault_reason me_csr_read(struct me *me, struct me_ctx *c, unsigned int csr,
				 uint64_t now, uint32_t *v);
enum me_fault_reason me_csr_write(struct me *me, struct me_ctx *c, unsigned int csr,
				  uint64_t now, uint32_t v);
void me_alarms(struct me *me);

/* me_cmd.c. me_cmd() returns ME_FAULT_NONE or the reason of a fault. */
uint64_t me_cmd_addr(const struct me_insn *in, uint32_t a, uint32_t b);
enum me_fault_reason me_cmd(struct me *me, struct me_ctx *c, const struct me_insn *in,
			    uint64_t addr, uint32_t prev);

/* me_bus.c: give a command to me_ops.command. If it swaps, the context then waits. */
enum me_fault_reason me_bus(struct me *me, struct me_ctx *c, const struct me_insn *in,
			    uint64_t addr, uint32_t prev);
/* The CPP target and action in the word's field of both, or false if there is no such target. */
bool me_bus_target(unsigned int field, uint8_t *target, uint8_t *action);

/* me_atomic.c, me_ring.c: commands of memory units; the result is that of me_ops.command. */
int me_atomic(struct board *b, struct me_cmd *cmd);
int me_ring(struct me_board *mb, struct me_cmd *cmd);

/* me_names.c: the names of a command's unit and of the command; false if none is known. */
bool me_cmd_name(unsigned int target, unsigned int action, unsigned int token, unsigned int len,
		 const char **unit, char *name, size_t size);

/* me_text_flow.c */
struct me_put {
	char *buf;
	size_t len;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
void me_put(struct me_put *t, const char *fmt, ...);
void me_put_operand(struct me_put *t, unsigned int o);
void me_text_flow(struct me_put *t, const struct me_insn *in);

#endif /* ME_INT_H */
