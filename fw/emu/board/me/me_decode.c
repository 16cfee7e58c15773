// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_decode.c - decode instruction words to struct me_insn.
 *
 * Positions of fields are those of nfp_asm.h and of binutils' nfp-dis.c, which agree. Forms that
 * the stock JIT compiler never emits (no_cc, load_cc, predicate_cc, immed of a byte, next-
 * neighbour and indexed registers, other commands) become ME_OP_FAULT.
 */
#include "me_int.h"

#define BIT(w, n)	((unsigned int)((w) >> (n)) & 1)
#define BITS(w, hi, lo)	((unsigned int)((w) >> (lo)) & ((1u << ((hi) - (lo) + 1)) - 1))

/* Bits of each class that are 0 in all supported forms. */
#define ALU_ZERO	(1ULL << 44 | 1ULL << 40)	/* predicate_cc, no_cc */
#define LDF_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 34 | 1ULL << 33 | 0xe00000)
#define IMMED_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 32)
#define MUL_ZERO	(1ULL << 44 | 1ULL << 40 | 1ULL << 33 | 0x3f000000)
#define CSR_ZERO	(1ULL << 44 | 1ULL << 43 | 1ULL << 41 | 1ULL << 40 | 1ULL << 33 | 1 << 20)
#define BR_ZERO		(0xfULL << 41 | 0xc3cc0)
#define BR_REG_ZERO	(1ULL << 44 | 1ULL << 43 | 1ULL << 41)	/* br_bset, br=byte etc. */
#define RTN_ZERO	(BR_REG_ZERO | 1ULL << 40 | 0xfULL << 31 | 0x1ffULL << 22)
#define ARB_ZERO	(0x1fULL << 40 | 0x1fffULL << 22 | 0xfULL << 18 | 1 << 17)

static void fault(struct me_insn *in, enum me_fault_reason why)
{
	*in = (struct me_insn){ .op = ME_OP_FAULT, .x = why, .pc = in->pc };
}

/* Decode an unrestricted operand, which has 10 bits. */
static bool ur(unsigned int v, enum me_reg bank, bool lm_hi, bool dst, uint16_t *o)
{
	unsigned int ptr = BIT(v, 5) + 2 * lm_hi;

	switch (v >> 6) {
	case 0x0:		/* GPR of the context */
		*o = bank + (v & 0x1f);
		return !(v & 0x20);
	case 0x6:		/* transfer register */
	case 0x7:
		*o = (dst ? ME_R_OUT : ME_R_IN) + (v & 0x1f) + BIT(v, 6) * 32;
		return !(v & 0x20);
	case 0x8:		/* local memory */
		*o = ME_LM | ptr << 5 | (v & 0x1f);
		return !(v & ME_LM_POST) || !(v & 0xe);
	case 0xc ... 0xf:	/* immediate; as a destination: none */
		*o = dst ? (unsigned int)ME_R_NONE : ME_R_K + (v & 0xff);
		return true;
	default:
		return false;
	}
}

/*
 * Decode a restricted operand, which has 8 bits. The ninth bit of an immediate is in another
 * field.
 */
static bool re(unsigned int v, enum me_reg bank, bool lm_hi, bool i8, bool dst, uint16_t *o)
{
	unsigned int ptr = BIT(v, 3) + 2 * lm_hi;

	if (v & 0x20) {
		*o = dst ? (unsigned int)ME_R_NONE :
		     ME_R_K + (i8 << 7 | BITS(v, 7, 6) << 5 | (v & 0x1f));
		return true;
	}
	switch (v >> 6) {
	case 0:
		*o = bank + (v & 0x1f);
		return true;
	case 1:
		*o = ME_LM | ptr << 5 | (v & 7);
		return v & 0x10;
	default:
		*o = (dst ? ME_R_OUT : ME_R_IN) + (v & 0x1f) + BIT(v, 6) * 32;
		return true;
	}
}

enum { FILE_LM, FILE_A, FILE_B, FILE_XFER, FILE_IMM };

/* Return: the register file of operand @o. Each GPR bank is a file. */
static unsigned int file(unsigned int o)
{
	if (o & ME_LM)
		return FILE_LM;
	return o < ME_R_B ? FILE_A : o < ME_R_IN ? FILE_B : o < ME_R_K ? FILE_XFER : FILE_IMM;
}

/*
 * Check that the two operands are in different register files, as the assembler and the JIT
 * compiler do.
 */
static bool pair_ok(struct me_insn *in)
{
	if (file(in->a) != file(in->b))
		return true;
	fault(in, ME_FAULT_OPERANDS);
	return false;
}

/*
 * Check the operands of an operation that uses only B. The assembler encodes the absent A as an
 * immediate, which may then stand beside an immediate B.
 */
static bool b_ok(struct me_insn *in, bool swapped)
{
	return file(swapped ? in->b : in->a) == FILE_IMM || pair_ok(in);
}

/* Write the result to both banks. Only GPRs have two. */
static bool both_banks(struct me_insn *in)
{
	if (in->d0 >= ME_R_IN)
		return false;
	in->d1 = in->d0 ^ (ME_R_A ^ ME_R_B);
	return true;
}

static bool post(unsigned int o)
{
	return (o & ME_LM) && (o & ME_LM_POST);
}

/*
 * Choose the form of a data instruction: registers only, or with local memory. The operands are
 * decoded already.
 */
static void data_op(struct me_insn *in, enum me_op op)
{
	/* If an instruction changes one pointer twice, the order is not defined. */
	if (post(in->d0) && (post(in->a) || post(in->b))) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	in->op = op + !!((in->a | in->b | in->d0) & ME_LM);
}

static void swap(struct me_insn *in)
{
	uint16_t a = in->a;

	in->a = in->b;
	in->b = a;
}

static void alu(uint64_t w, struct me_insn *in)
{
	static const uint8_t ops[32] = {
		[0x00] = ME_OP_ALU_B + 1, [0x04] = ME_OP_ALU_NOT + 1,
		[0x08] = ME_OP_ALU_AND + 1, [0x10] = ME_OP_ALU_ANDNOT + 1,
		[0x0c] = ME_OP_ALU_NOTAND + 1, [0x14] = ME_OP_ALU_OR + 1,
		[0x18] = ME_OP_ALU_XOR + 1, [0x01] = ME_OP_ALU_ADD + 1,
		[0x11] = ME_OP_ALU_ADDC + 1, [0x05] = ME_OP_ALU_ADD16 + 1,
		[0x15] = ME_OP_ALU_SUB + 1, [0x0d] = ME_OP_ALU_SUBC + 1,
	};
	enum me_reg bank = BIT(w, 36) ? ME_R_B : ME_R_A;
	unsigned int op = ops[BITS(w, 35, 31)];

	if (!op || w & ALU_ZERO ||
	    !ur(BITS(w, 9, 0), ME_R_A, BIT(w, 42), false, &in->a) ||
	    !ur(BITS(w, 19, 10), ME_R_B, BIT(w, 42), false, &in->b) ||
	    !ur(BITS(w, 29, 20), bank, BIT(w, 43), true, &in->d0)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	in->d1 = in->d0;
	if (BIT(w, 41) && !both_banks(in)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	op--;
	if (!(op == ME_OP_ALU_B || op == ME_OP_ALU_NOT ? b_ok(in, BIT(w, 30)) : pair_ok(in)))
		return;
	if (BIT(w, 30))
		swap(in);
	data_op(in, op);
}

/* Return: the instruction that shift control, operation and amount select, or ME_OPS if none. */
static enum me_op shf_op(struct me_insn *in, unsigned int sc, unsigned int op,
			 unsigned int field)
{
	in->x = field;
	in->y = op == 0 ? ME_SHF_B : op == 5 ? ME_SHF_OR : ME_SHF_AND;
	if (op == 6)
		return sc != 1 ? ME_OPS : field ? ME_OP_SHF_ASR : ME_OP_SHF_ASR_IND;
	if (op != 0 && op != 2 && op != 5)
		return ME_OPS;
	switch (sc) {
	case 0:
		return ME_OP_SHF_ROR;
	case 1:
		return field ? ME_OP_SHF_SHR : ME_OP_SHF_SHR_IND;
	case 2:
		in->x = 32 - field;
		return field ? ME_OP_SHF_SHL : ME_OP_SHF_SHL_IND;
	default:
		if (op)
			return ME_OPS;
		return field ? ME_OP_SHF_DBL : ME_OP_SHF_DBL_IND;
	}
}

static void shf(uint64_t w, struct me_insn *in)
{
	enum me_op op = shf_op(in, BITS(w, 9, 8), BITS(w, 35, 33), BITS(w, 32, 28));
	enum me_reg bank = BIT(w, 36) ? ME_R_B : ME_R_A;
	bool i8 = BIT(w, 18), one;

	if (op == ME_OPS || w & ALU_ZERO ||
	    !re(BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) ||
	    !re(BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b) ||
	    !re(BITS(w, 27, 20), bank, BIT(w, 43), false, true, &in->d0)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	in->d1 = in->d0;
	if (BIT(w, 41) && !both_banks(in)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	one = op == ME_OP_SHF_ASR || op == ME_OP_SHF_ASR_IND ||
	      (in->y == ME_SHF_B && op != ME_OP_SHF_DBL && op != ME_OP_SHF_DBL_IND);
	if (!(one ? b_ok(in, BIT(w, 19)) : pair_ok(in)))
		return;
	if (BIT(w, 19))
		swap(in);
	data_op(in, op);
}

/*
 * ld_field and immed have no field for a destination. They write to the register of a source
 * field, or to local memory. Then the LM pair bits of source and destination must be equal.
 */
static bool field_is_dst(uint64_t w, struct me_insn *in, unsigned int o)
{
	in->d0 = o;
	if (o & ME_LM && BIT(w, 42) != BIT(w, 43))
		return false;
	if (o >= ME_R_IN && !(o & ME_LM))
		return false;
	in->d1 = in->d0;
	return !BIT(w, 41) || both_banks(in);
}

static void ld_field(uint64_t w, struct me_insn *in)
{
	static const uint8_t ops[4] = { ME_OP_LDF_ROR, ME_OP_LDF_SHR, ME_OP_LDF_SHL };
	unsigned int sc = BITS(w, 9, 8), mask = BITS(w, 27, 24), i;
	bool i8 = BIT(w, 18);

	in->x = BITS(w, 32, 28);
	in->y = BIT(w, 20);
	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			in->imm |= 0xffu << (8 * i);
	if (w & LDF_ZERO || sc == 3 || (sc && !in->x) ||
	    !re(BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) ||
	    !re(BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	if (!pair_ok(in))
		return;
	if (BIT(w, 19))
		swap(in);
	if (!field_is_dst(w, in, in->a)) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	if (sc == 2)
		in->x = 32 - in->x;
	data_op(in, ops[sc]);
}

static void immed(uint64_t w, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10), reg = a;
	unsigned int shift = BITS(w, 34, 33), width = BITS(w, 30, 29);
	bool inv = BIT(w, 31), word = width == 2, ok = !(w & IMMED_ZERO);
	enum me_reg bank = ME_R_A;

	in->x = shift;
	in->imm = BITS(w, 27, 20) << 8;
	if (b >> 8 == 3) {
		in->imm |= b & 0xff;
	} else {
		in->imm |= a & 0xff;
		ok = ok && a >> 8 == 3;
		reg = b;
		bank = ME_R_B;
	}
	/*
	 * Either all of the register is written, with the value shifted by 0, 1 or 2 bytes, or
	 * one 16-bit half.
	 */
	ok = ok && (word ? !inv && (shift == 0 || shift == 2) : !width && shift < 3);
	in->imm <<= 8 * shift;
	if (inv) {
		in->imm = ~in->imm;
		in->y = ME_IMMED_INV;
	}
	in->a = ME_R_NONE;
	in->b = ME_R_NONE;
	if (reg >> 8 == 3) {
		in->y |= ME_IMMED_NODST;
		in->d0 = ME_R_NONE;
		in->d1 = ME_R_NONE;
		ok = ok && !BIT(w, 41) && !word;
	} else if (reg >> 7 == 3) {
		ok = ok && ur(reg, bank, false, true, &in->d0) && !BIT(w, 41);
		in->d1 = in->d0;
		/*
		 * A write register keeps its other half: read the write register, not the read
		 * register of that number.
		 */
		if (word)
			in->a = in->d0;
	} else {
		ok = ok && ur(reg, bank, BIT(w, 43), false, &in->d0) &&
		     field_is_dst(w, in, in->d0) && !(word && post(in->d0));
		if (word)
			in->a = in->d0;
	}
	if (ok)
		data_op(in, word ? ME_OP_IMMED_W : ME_OP_IMMED);
	else
		fault(in, ME_FAULT_ENCODING);
}

static void mul(uint64_t w, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10);
	enum me_reg bank = BIT(w, 23) ? ME_R_B : ME_R_A;
	bool ok = !(w & MUL_ZERO);

	in->x = BITS(w, 22, 20);
	in->y = BITS(w, 32, 31);
	if (in->x >= ME_MUL_LAST) {
		in->op = ME_OP_MUL_LAST;
		ok = ok && in->x <= (in->y == ME_MUL_32 ? ME_MUL_LAST2 : ME_MUL_LAST) &&
		     in->y >= ME_MUL_16 && !b && !BIT(w, 30) &&
		     ur(a, bank, BIT(w, 43), true, &in->d0);
		in->d1 = in->d0;
		ok = ok && (!BIT(w, 41) || both_banks(in));
		if (!ok)
			fault(in, ME_FAULT_ENCODING);
		return;
	}
	in->op = in->y ? ME_OP_MUL_STEP : ME_OP_MUL_START;
	ok = ok && (in->y == ME_MUL_32 || (in->y == ME_MUL_16 && in->x < 2) ||
		    (!in->y && !in->x)) &&
	     !BIT(w, 41) && !BIT(w, 23) && !BIT(w, 43) &&
	     ur(a, ME_R_A, BIT(w, 42), false, &in->a) &&
	     ur(b, ME_R_B, BIT(w, 42), false, &in->b);
	if (!ok)
		fault(in, ME_FAULT_ENCODING);
	else if (pair_ok(in) && BIT(w, 30))
		swap(in);
}

static void csr(uint64_t w, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10), addr = BITS(w, 32, 22) * 4;
	bool lm = addr == ME_CSR_LM0 || addr == ME_CSR_LM1 ||
		  addr == ME_CSR_LM2 || addr == ME_CSR_LM3;
	bool use_b = a >> 8 == 3 && b >> 8 != 3;
	bool ok = !(w & CSR_ZERO);

	in->d0 = addr;
	if (BIT(w, 21)) {
		in->op = ME_OP_CSR_WR;
		ok = ok && lm && (use_b || b >> 8 == 3) &&
		     ur(use_b ? b : a, use_b ? ME_R_B : ME_R_A, BIT(w, 42), false, &in->a);
	} else {
		in->op = ME_OP_CSR_RD;
		ok = ok && addr == ME_CSR_RANDOM && !a && !b && !BIT(w, 42);
	}
	if (!ok)
		fault(in, ME_FAULT_ENCODING);
}

static void target(uint64_t w, struct me_insn *in)
{
	in->x = BITS(w, 21, 20);
	in->d1 = BIT(w, 40) << 13 | BITS(w, 34, 22);
}

static void br(uint64_t w, struct me_insn *in)
{
	static const uint8_t ops[32] = {
		[0x00] = ME_OP_BEQ, [0x01] = ME_OP_BNE, [0x02] = ME_OP_BMI,
		[0x04] = ME_OP_BHS, [0x05] = ME_OP_BLO, [0x08] = ME_OP_BGE,
		[0x09] = ME_OP_BLT, [0x18] = ME_OP_BR,
	};
	bool cond;

	in->op = ops[BITS(w, 4, 0)];
	cond = in->op != ME_OP_BR;
	target(w, in);
	if (!in->op || w & BR_ZERO || !BIT(w, 5) || BITS(w, 9, 8) != cond ||
	    BITS(w, 17, 14) != 2 || in->x > 2 + cond) {
		fault(in, ME_FAULT_ENCODING);
		return;
	}
	in->y = 2 + cond - in->x;
}

/* br_bset, br_bclr: the word has a register, and the number of the bit plus one. */
static void br_bit(uint64_t w, struct me_insn *in)
{
	bool ok = !(w & (BR_REG_ZERO | 0x80300)) &&
		  re(BITS(w, 7, 0), ME_R_A, BIT(w, 42), false, false, &in->a) &&
		  re(BITS(w, 17, 10), ME_R_B, BIT(w, 42), false, false, &in->b);

	in->op = BIT(w, 18) ? ME_OP_BR_BSET : ME_OP_BR_BCLR;
	target(w, in);
	in->y = 3 - in->x;
	if (ok && file(in->a) == FILE_IMM)
		swap(in);
	if (!ok || file(in->b) != FILE_IMM)
		fault(in, ME_FAULT_ENCODING);
	else if (pair_ok(in))
		in->d0 = (in->b - ME_R_K - 1) & 31;
}

static void br_byte(uint64_t w, struct me_insn *in)
{
	bool i8 = BIT(w, 18);
	bool ok = !(w & BR_REG_ZERO) &&
		  re(BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) &&
		  re(BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b);

	in->op = BIT(w, 19) ? ME_OP_BR_BYTE_EQ : ME_OP_BR_BYTE_NE;
	target(w, in);
	in->y = 3 - in->x;
	in->d0 = BITS(w, 9, 8);
	if (ok && file(in->a) == FILE_IMM)
		swap(in);
	if (!ok || file(in->b) != FILE_IMM)
		fault(in, ME_FAULT_ENCODING);
	else
		pair_ok(in);
}

static void rtn(uint64_t w, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10);
	bool use_b = a == 0x300;
	bool ok = !(w & RTN_ZERO) && (use_b ? b : a) >> 8 != 3 && (use_b || b == 0x300) &&
		  ur(use_b ? b : a, use_b ? ME_R_B : ME_R_A, BIT(w, 42), false, &in->a);

	in->op = ME_OP_RTN;
	in->x = BITS(w, 21, 20);
	in->y = 3 - in->x;
	if (!ok)
		fault(in, ME_FAULT_ENCODING);
}

static void ctx_arb(uint64_t w, struct me_insn *in)
{
	in->op = ME_OP_CTX_ARB;
	in->d0 = BITS(w, 15, 0);
	in->x = BIT(w, 16);
	/*
	 * Bit 0 alone is ctx_arb[voluntary]. No bit is ctx_arb[kill], after which nothing could
	 * start the context again.
	 */
	if (w & ARB_ZERO || !in->d0 || (in->d0 & 1 && (in->d0 != 1 || in->x)))
		fault(in, ME_FAULT_ENCODING);
}

/* Return: the operation (enum me_act) of a memory unit command, or -1. */
static int action(uint64_t w)
{
	unsigned int cnt = BITS(w, 27, 25);
	bool indir = BIT(w, 41);

	switch (BITS(w, 38, 32) << 2 | BITS(w, 19, 18)) {
	case 0x5c << 2 | 2:
		return ME_ACT_READ32_SWAP;
	case 0x43 << 2 | 1:
		return ME_ACT_READ8;
	case 0x42 << 2 | 2:
		return ME_ACT_WRITE8_SWAP;
	case 0x5f << 2 | 2:
		return ME_ACT_WRITE32_SWAP;
	case 0x47 << 2 | 0:
		return !indir && !(cnt & 3) ? ME_ACT_ADD : -1;
	case 0x47 << 2 | 2:
		return indir && !cnt ? ME_ACT_ADD_IMM : -1;
	default:
		return -1;
	}
}

static void cmd(uint64_t w, struct me_insn *in)
{
	unsigned int mode = BITS(w, 44, 42), swp = BITS(w, 9, 8);
	int act = action(w);

	in->x = BITS(w, 27, 25);
	in->y = BITS(w, 31, 28);
	in->d0 = BITS(w, 24, 20) + BIT(w, 40) * 32;
	in->d1 = swp | (BIT(w, 41) ? ME_CMD_INDIR : 0) | (mode == 1 ? ME_CMD_MU : 0);
	in->act = act;
	in->op = swp == 1 || swp == 2 ? ME_OP_CMD_DEFER : ME_OP_CMD;
	if (act < 0 || (mode != 1 && mode != 4) ||
	    !re(BITS(w, 7, 0), ME_R_A, false, false, false, &in->a) ||
	    !re(BITS(w, 17, 10), ME_R_B, false, false, false, &in->b))
		fault(in, ME_FAULT_ENCODING);
	else if (swp != ME_CMD_NO_SWAP && !in->y)
		fault(in, ME_FAULT_SIGNAL);
	else
		pair_ok(in);
}

void me_decode(uint64_t w, struct me_insn *in)
{
	static void (* const class[64])(uint64_t w, struct me_insn *in) = {
		[0x00 ... 0x1f] = cmd, [0x20 ... 0x27] = shf, [0x28 ... 0x2f] = alu,
		[0x30 ... 0x31] = ld_field, [0x32 ... 0x33] = br_byte, [0x34 ... 0x35] = br_bit,
		[0x36 ... 0x37] = br, [0x38 ... 0x39] = ctx_arb, [0x3a ... 0x3b] = rtn,
		[0x3c ... 0x3d] = immed, [0x3e] = mul, [0x3f] = csr,
	};

	*in = (struct me_insn){ .pc = in->pc };
	class[BITS(w, 39, 34)](w, in);
}
