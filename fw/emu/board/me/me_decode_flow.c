// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_decode_flow.c - decode local CSRs, branches, context arbitration.
 *
 * Branches have a field that tells the pipeline when their condition is known. Only its usual
 * value is supported.
 */
#include "me_dec.h"

/* Bits of each class that are 0 in all supported forms. */
#define CSR_ZERO	(1ULL << 44 | 1ULL << 43 | 1ULL << 41 | 1ULL << 40 | 1ULL << 33 | 1 << 20)
#define BR_ZERO		(0xfULL << 41 | 0xc3cc0)
#define BR_REG_ZERO	(1ULL << 44 | 1ULL << 43 | 1ULL << 41)	/* br_bset, br=byte etc. */
#define RTN_ZERO	(BR_REG_ZERO | 1ULL << 40 | 0xfULL << 31)
#define ARB_ZERO	(0xfULL << 41)
#define NONE		0x300	/* an absent operand */

/* Decode the operand of an instruction that has one: in field A, or in B if A is an immediate. */
static bool one(uint64_t w, enum me_mode m, bool imm, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10);
	bool use_b = a >> 8 == 3 && b >> 8 != 3;

	if ((!use_b && b >> 8 != 3) || (!imm && (use_b ? b : a) >> 8 == 3))
		return false;
	return me_ur(m, use_b ? b : a, use_b ? ME_R_B : ME_R_A, BIT(w, 42), false, &in->a);
}

static bool unused(unsigned int field)
{
	return !field || field == NONE;
}

void me_decode_csr(uint64_t w, enum me_mode m, struct me_insn *in)
{
	bool ok = !(w & CSR_ZERO);

	in->d0 = BITS(w, 32, 22) * 4;
	if (BIT(w, 21)) {
		in->op = me_csr_lm(in->d0) < 0 ? ME_OP_CSR_WR : ME_OP_LM_WR;
		ok = ok && one(w, m, true, in);
	} else {
		in->op = ME_OP_CSR_RD;
		ok = ok && unused(BITS(w, 9, 0)) && unused(BITS(w, 19, 10)) && !BIT(w, 42);
	}
	/* CSR 4 stands for instructions that the NFP-6000 does not have. */
	if (!ok || in->d0 == 4)
		me_refuse(in, ME_FAULT_ENCODING);
}

static void target(uint64_t w, struct me_insn *in)
{
	in->d1 = BIT(w, 40) << 13 | BITS(w, 34, 22);
}

static void branch(uint64_t w, struct me_insn *in)
{
	in->x = BITS(w, 21, 20);
	in->y = 3 - in->x;
	target(w, in);
}

void me_decode_br(uint64_t w, enum me_mode m, struct me_insn *in)
{
	enum { COND = 1, ALWAYS = 0, CTX = 0, SIGNAL = 2 };	/* bits 9:8 */
	static const struct { uint8_t op, pipe, slots; } br[32] = {
		[0x00] = { ME_OP_BEQ, COND, 3 }, [0x01] = { ME_OP_BNE, COND, 3 },
		[0x02] = { ME_OP_BMI, COND, 3 }, [0x03] = { ME_OP_BPL, COND, 3 },
		[0x04] = { ME_OP_BHS, COND, 3 }, [0x05] = { ME_OP_BLO, COND, 3 },
		[0x06] = { ME_OP_BVS, COND, 3 }, [0x07] = { ME_OP_BVC, COND, 3 },
		[0x08] = { ME_OP_BGE, COND, 3 }, [0x09] = { ME_OP_BLT, COND, 3 },
		[0x0a] = { ME_OP_BLE, COND, 3 }, [0x0b] = { ME_OP_BGT, COND, 3 },
		[0x10] = { ME_OP_BR_CTX, CTX, 2 }, [0x11] = { ME_OP_BR_NCTX, CTX, 2 },
		[0x12] = { ME_OP_BR_SIG, SIGNAL, 3 }, [0x13] = { ME_OP_BR_NSIG, SIGNAL, 3 },
		[0x18] = { ME_OP_BR, ALWAYS, 2 },
	};
	unsigned int i = BITS(w, 4, 0), state = BITS(w, 17, 14);
	bool ok;

	(void)m;
	branch(w, in);
	in->op = br[i].op;
	in->d0 = state;
	in->y = br[i].slots - in->x;
	ok = in->op && !(w & BR_ZERO & ~0x3c000ull) && BIT(w, 5) && BITS(w, 9, 8) == br[i].pipe &&
	     in->x <= br[i].slots;
	if (in->op == ME_OP_BR_CTX || in->op == ME_OP_BR_NCTX)
		ok = ok && state < ME_CTXS;
	else if (in->op == ME_OP_BR_SIG || in->op == ME_OP_BR_NSIG)
		ok = ok && state;
	else
		ok = ok && state == 2;
	if (!ok)
		me_refuse(in, ME_FAULT_ENCODING);
}

/* Put the register to A. The other operand must be an immediate. */
static bool reg_imm(struct me_insn *in)
{
	if (me_file(in->a) == FILE_IMM)
		me_swap(in);
	return me_file(in->b) == FILE_IMM;
}

/* br_bset, br_bclr: the word has a register, and the number of the bit plus one. */
void me_decode_br_bit(uint64_t w, enum me_mode m, struct me_insn *in)
{
	bool ok = !(w & (BR_REG_ZERO | 0x80300)) &&
		  me_re(m, BITS(w, 7, 0), ME_R_A, BIT(w, 42), false, false, &in->a) &&
		  me_re(m, BITS(w, 17, 10), ME_R_B, BIT(w, 42), false, false, &in->b);

	in->op = BIT(w, 18) ? ME_OP_BR_BSET : ME_OP_BR_BCLR;
	branch(w, in);
	if (!ok || !reg_imm(in))
		me_refuse(in, ME_FAULT_ENCODING);
	else if (me_pair_ok(in))
		in->d0 = (in->b - ME_R_K - 1) & 31;
}

void me_decode_br_byte(uint64_t w, enum me_mode m, struct me_insn *in)
{
	bool i8 = BIT(w, 18);
	bool ok = !(w & BR_REG_ZERO) &&
		  me_re(m, BITS(w, 7, 0), ME_R_A, BIT(w, 42), i8, false, &in->a) &&
		  me_re(m, BITS(w, 17, 10), ME_R_B, BIT(w, 42), i8, false, &in->b);

	in->op = BIT(w, 19) ? ME_OP_BR_BYTE_EQ : ME_OP_BR_BYTE_NE;
	branch(w, in);
	in->d0 = BITS(w, 9, 8);
	if (!ok || !reg_imm(in))
		me_refuse(in, ME_FAULT_ENCODING);
	else
		me_pair_ok(in);
}

/* rtn, or jump: the word has an address that is added to the register. */
void me_decode_rtn(uint64_t w, enum me_mode m, struct me_insn *in)
{
	unsigned int a = BITS(w, 9, 0), b = BITS(w, 19, 10);
	unsigned int base = BITS(w, 30, 22) << 8 | ((a >> 8 == 3 ? a : b) & 0xff);

	in->op = ME_OP_RTN;
	in->x = BITS(w, 21, 20);
	in->y = 3 - in->x;
	in->d1 = base;
	if (w & RTN_ZERO || base >= ME_USTORE || !one(w, m, false, in))
		me_refuse(in, ME_FAULT_ENCODING);
}

void me_decode_arb(uint64_t w, enum me_mode m, struct me_insn *in)
{
	bool no_load = BIT(w, 19), br = BIT(w, 18), any = BIT(w, 16), ok;

	(void)m;
	in->d0 = BITS(w, 15, 0);
	in->x = any;
	in->y = (no_load ? ME_ARB_CSR : 0) | (br ? ME_ARB_BR : 0);
	in->act = BITS(w, 21, 20);
	target(w, in);
	in->op = in->act ? ME_OP_ARB_DEFER : br ? ME_OP_ARB_BR : ME_OP_CTX_ARB;
	ok = !(w & ARB_ZERO) && in->act < 3 && (br || !in->d1);
	if (BIT(w, 17)) {
		in->op = ME_OP_BPT;
		ok = ok && !in->d0 && !any && !in->y && !in->act;
	} else if (no_load) {
		ok = ok && !in->d0 && !any;
	} else if (in->d0 & 1) {	/* voluntary */
		ok = ok && in->d0 == 1 && !any;
	} else if (!in->d0) {		/* kill: wait for any of no signals */
		ok = ok && any && !br;
	}
	if (!ok)
		me_refuse(in, ME_FAULT_ENCODING);
}
