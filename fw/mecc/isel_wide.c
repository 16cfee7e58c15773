// SPDX-License-Identifier: BSD-2-Clause
/* isel_wide.c - choose operations: numbers of 33 to 64 bits, in two registers. */
#include "isel.h"

static void finish(struct sel *s, struct num d, struct en_opnd lo, struct en_opnd hi)
{
	sel_mov(s, d.lo, lo);
	sel_clean(s, d.hi, hi, d.width - 32);
}

/* The high word as a number with sign of 32 bits */
static struct en_opnd high_signed(struct sel *s, struct num v)
{
	return sel_sext(s, v.hi, v.width - 32);
}

static struct en_opnd other(struct sel *s, struct en_opnd a, struct en_opnd b)
{
	struct en_opnd t;

	if (a.k != b.k || (a.k != EN_IMM && a.n != b.n))
		return a;
	t = sel_reg(s);
	sel_mov(s, t, a);
	return t;
}

static void sum(struct sel *s, struct num d, struct num a, enum en_alu op, struct num b)
{
	struct en_opnd lo = sel_reg(s), hi = sel_reg(s);
	struct en_opnd a_lo = other(s, a.lo, b.lo), a_hi = other(s, a.hi, b.hi);

	sel_add(s, (struct minsn){ .op = M_WIDE, .alu = op, .d = lo, .d1 = hi,
				   .s = { a_lo, b.lo, a_hi, b.hi } });
	finish(s, d, lo, hi);
}

static void logic(struct sel *s, struct num d, struct num a, enum en_alu op, struct num b)
{
	sel_alu(s, d.lo, a.lo, op, b.lo);
	sel_alu(s, d.hi, a.hi, op, b.hi);
}

/* Return: the product of two words, and with @hi its high word. */
static struct en_opnd product(struct sel *s, struct en_opnd a, struct en_opnd b, struct en_opnd *hi)
{
	struct minsn in = { .op = M_MUL, .d = sel_reg(s) };

	if (hi)
		*hi = in.d1 = sel_reg(s);
	in.s[0] = other(s, sel_in_reg(s, a), b);
	in.s[1] = b;
	sel_add(s, in);
	return in.d;
}

static bool is_zero(struct en_opnd o)
{
	return o.k == EN_IMM && !o.n;
}

static struct en_opnd add(struct sel *s, struct en_opnd a, struct en_opnd b)
{
	struct en_opnd d = sel_reg(s);

	sel_alu(s, d, a, EN_ADD, b);
	return d;
}

static void multiply(struct sel *s, struct num d, struct num a, struct num b)
{
	struct en_opnd hi, lo = product(s, a.lo, b.lo, &hi);

	if (!is_zero(b.hi))
		hi = add(s, hi, product(s, a.lo, b.hi, NULL));
	if (!is_zero(a.hi))
		hi = add(s, hi, product(s, a.hi, b.lo, NULL));
	finish(s, d, lo, hi);
}

static struct en_opnd shifted(struct sel *s, struct en_opnd v, enum en_sc sc, unsigned int n)
{
	struct en_opnd d = sel_reg(s);

	sel_shift(s, d, v, sc, n);
	return d;
}

static struct en_opnd shifted_signed(struct sel *s, struct en_opnd v, unsigned int n)
{
	struct en_opnd d = sel_reg(s);

	if (n)
		sel_add(s, (struct minsn){ .op = M_ASR, .n = n, .d = d,
					   .s = { sel_in_reg(s, v) } });
	else
		sel_mov(s, d, v);
	return d;
}

/* The low word of hi:lo >> n, n from 1 to 31 */
static struct en_opnd both_shifted(struct sel *s, struct num v, unsigned int n)
{
	struct minsn in = { .op = M_DBL, .n = n, .d = sel_reg(s) };

	in.s[0] = sel_in_reg(s, v.hi);
	in.s[1] = other(s, sel_in_reg(s, v.lo), in.s[0]);
	sel_add(s, in);
	return in.d;
}

static void left(struct sel *s, struct num d, struct num v, unsigned int n)
{
	if (n >= 32)
		finish(s, d, imm8(0), shifted(s, v.lo, EN_SHL, n - 32));
	else if (n)
		finish(s, d, shifted(s, v.lo, EN_SHL, n), both_shifted(s, v, 32 - n));
	else
		finish(s, d, v.lo, v.hi);
}

static void right(struct sel *s, struct num d, struct num v, unsigned int n)
{
	if (n >= 32)
		finish(s, d, shifted(s, v.hi, EN_SHR, n - 32), imm8(0));
	else if (n)
		finish(s, d, both_shifted(s, v, n), shifted(s, v.hi, EN_SHR, n));
	else
		finish(s, d, v.lo, v.hi);
}

static void right_signed(struct sel *s, struct num d, struct num v, unsigned int n)
{
	v.hi = high_signed(s, v);
	if (n >= 32)
		finish(s, d, shifted_signed(s, v.hi, n - 32), shifted_signed(s, v.hi, 31));
	else if (n)
		finish(s, d, both_shifted(s, v, n), shifted_signed(s, v.hi, n));
	else
		finish(s, d, v.lo, v.hi);
}

static struct en_opnd in_bank(struct sel *s, struct en_opnd v, enum bank bank)
{
	struct en_opnd d = vreg(mir_vreg(s->f, bank));

	sel_mov(s, d, v);
	return d;
}

static struct en_opnd by_register(struct sel *s, enum mop op, enum en_sc sc, struct en_opnd a,
				  struct en_opnd b, struct en_opnd n)
{
	struct minsn in = { .op = op, .sc = sc, .d = sel_reg(s), .s = { a, b, n } };

	sel_add(s, in);
	return in.d;
}

static struct en_opnd choose(struct sel *s, struct en_opnd test, struct en_opnd yes,
			     struct en_opnd no)
{
	struct en_opnd d = sel_reg(s);

	sel_add(s, (struct minsn){ .op = M_SEL, .alu = EN_NE, .d = d,
				   .s = { test, imm8(0), { 0 }, { 0 }, yes, no } });
	return d;
}

/* Shift by a register: by the low five bits of the amount first, then by 32 if bit 5 is set. */
static void shift_by(struct sel *s, struct num d, LLVMOpcode op, struct num v, struct num by)
{
	struct en_opnd big = sel_reg(s), n = sel_reg(s), lo, hi, far;

	by.lo = sel_in_reg(s, by.lo);
	sel_alu(s, big, by.lo, EN_AND, imm8(32));
	sel_alu(s, n, by.lo, EN_AND, imm8(31));
	n = in_bank(s, n, BANK_A);
	if (op == LLVMAShr)
		v.hi = high_signed(s, v);
	v.lo = sel_in_reg(s, v.lo);
	v.hi = other(s, sel_in_reg(s, v.hi), v.lo);
	if (op == LLVMShl) {
		struct en_opnd rest = vreg(mir_vreg(s->f, BANK_A));

		sel_alu(s, rest, imm8(32), EN_SUB, n);
		hi = by_register(s, M_DBLI, 0, v.hi, v.lo, rest);
		lo = by_register(s, M_SHI, EN_SHL, v.lo, n, (struct en_opnd){ 0 });
		finish(s, d, choose(s, big, imm8(0), lo), choose(s, big, lo, hi));
		return;
	}
	lo = by_register(s, M_DBLI, 0, v.hi, v.lo, n);
	if (op == LLVMAShr) {
		hi = by_register(s, M_ASRI, 0, in_bank(s, v.hi, BANK_B), n, (struct en_opnd){ 0 });
		far = shifted_signed(s, v.hi, 31);
	} else {
		hi = by_register(s, M_SHI, EN_SHR, v.hi, n, (struct en_opnd){ 0 });
		far = imm8(0);
	}
	finish(s, d, choose(s, big, hi, lo), choose(s, big, far, hi));
}

static void shift(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	LLVMValueRef by = LLVMGetOperand(inst, 1);
	struct num d = sel_result(s, inst), v = sel_value(s, LLVMGetOperand(inst, 0));

	if (!LLVMIsAConstantInt(by)) {
		shift_by(s, d, op, v, sel_value(s, by));
		return;
	}
	(op == LLVMShl ? left : op == LLVMLShr ? right : right_signed)(s, d, v,
		LLVMConstIntGetZExtValue(by) & 63);
}

static void cast(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	struct num d = sel_result(s, inst), v = sel_value(s, LLVMGetOperand(inst, 0));

	if (d.width <= 32) {
		sel_clean(s, d.lo, v.lo, d.width);
		return;
	}
	if (op == LLVMSExt && v.width <= 32) {
		v.lo = sel_sext(s, v.lo, v.width);
		v.hi = shifted_signed(s, v.lo, 31);
	} else if (op == LLVMSExt) {
		v.hi = high_signed(s, v);
	}
	finish(s, d, v.lo, v.hi);
}

void sel_wide(struct sel *s, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	struct num d, a, b;

	if (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) {
		shift(s, inst);
		return;
	}
	if (LLVMIsACastInst(inst) || op == LLVMFreeze) {
		cast(s, inst);
		return;
	}
	d = sel_result(s, inst);
	a = sel_value(s, LLVMGetOperand(inst, 0));
	b = sel_value(s, LLVMGetOperand(inst, 1));
	switch (op) {
	case LLVMAdd:
	case LLVMSub:
		sum(s, d, a, op == LLVMAdd ? EN_ADD : EN_SUB, b);
		break;
	case LLVMMul:
		multiply(s, d, a, b);
		break;
	case LLVMAnd:
		logic(s, d, a, EN_AND, b);
		break;
	case LLVMOr:
		logic(s, d, a, EN_OR, b);
		break;
	case LLVMXor:
		logic(s, d, a, EN_XOR, b);
		break;
	default:
		refuse(s->at, s->f->name, "operation %u of LLVM is not supported for 64 bits", op);
	}
}
