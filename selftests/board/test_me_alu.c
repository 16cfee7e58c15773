// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_alu.c - microengine: arithmetic, shifts, fields, constants, products.
 */
#include "me_rig.h"

/* ---- alu: results ---- */

static void alu_logic(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0xff00ff0f, 0x0ff00ff1);
	RUN(r, alu(A(2), A(1), B_, B(1)), alu(A(3), A(1), NOT_, B(1)),
	    alu(A(4), A(1), AND_, B(1)), alu(A(5), A(1), ANDNOT, B(1)),
	    alu(A(6), A(1), NOTAND, B(1)), alu(A(7), A(1), OR_, B(1)),
	    alu(A(8), A(1), XOR_, B(1)));
	ASSERT_A(r, 2, 0x0ff00ff1, 0xf00ff00e, 0x0f000f01, 0xf000f00e, 0x00f000f0, 0xfff0ffff,
		 0xf0f0f0fe);
}

static void alu_sums(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x10000, 0xffff0003);
	RUN(r, alu(A(2), A(1), ADD, B(1)), alu(A(3), A(1), ADD16, B(1)),
	    alu(A(4), A(1), SUB, B(1)));
	ASSERT_A(r, 2, 3, 0x10003, 0x0001fffd);
}

/* Add and subtract 64 bits as the JIT does: 0x1_ffffffff + 0x2_00000001, then back */
static void alu_carry_chain(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0xffffffff);
	set_a(r, 2, 1);
	set_b(r, 1, 1);
	set_b(r, 2, 2);
	RUN(r, alu(AB(3), A(1), ADD, B(1)), alu(AB(4), A(2), ADDC, B(2)),
	    alu(A(5), A(3), SUB, B(1)), alu(A(6), A(4), SUBC, B(2)));
	ASSERT_A(r, 3, 0, 4, 0xffffffff, 1);
}

/* The JIT may load a 64-bit constant between the two halves of an addition: the carry stays. */
static void carry_survives(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0xffffffff, 1);
	RUN(r, alu(A(2), A(1), ADD, B(1)), immed(B(3), 0), immed_w1(B(3), 0),
	    ld_field(A(4), 1, B(3), ROT, 0), alu(A(5), I(0), ADDC, B(3)));
	assert_int_equal(RA(r, 5), 1);
	RUN(r, alu(A(2), B(1), SUB, A(1)), immed(B(3), 0), alu(A(5), I(0), ADDC, B(3)));
	assert_int_equal(RA(r, 5), 0);
}

/* ---- alu: flags, tested by the branches that use them ---- */

static bool taken(struct rig *r, enum br_cond cond, uint32_t a, enum alu_op op, uint32_t b)
{
	set_ab(r, 1, a, b);
	RUN(r, immed(A(9), 1), alu(NONE, A(1), op, B(1)), br(cond, START + 4, 0), immed(A(9), 0));
	return RA(r, 9);
}

static void flags_zero_negative(void **state)
{
	struct rig *r = *state;

	assert_true(taken(r, EQ, 5, SUB, 5));
	assert_false(taken(r, EQ, 5, SUB, 4));
	assert_false(taken(r, NE, 5, SUB, 5));
	assert_true(taken(r, NE, 5, XOR_, 4));
	assert_true(taken(r, EQ, 5, AND_, 2));
	assert_true(taken(r, MI, 0, SUB, 1));
	assert_false(taken(r, MI, 1, SUB, 1));
	assert_true(taken(r, MI, 0, B_, 0x80000000));
}

static void flags_carry(void **state)
{
	struct rig *r = *state;

	/* "higher or same": no borrow */
	assert_true(taken(r, HS, 5, SUB, 5));
	assert_true(taken(r, HS, 0xffffffff, SUB, 1));
	assert_false(taken(r, HS, 1, SUB, 2));
	assert_true(taken(r, LO, 1, SUB, 2));
	assert_false(taken(r, LO, 2, SUB, 2));
	assert_true(taken(r, HS, 0xffffffff, ADD, 1));
	assert_false(taken(r, HS, 0xfffffffe, ADD, 1));
	assert_true(taken(r, HS, 0xffff0001, ADD16, 0xffff));
	assert_true(taken(r, HS, 1, SUB, 0));
}

static void flags_overflow(void **state)
{
	struct rig *r = *state;

	/* signed comparison, also if the difference overflows */
	assert_true(taken(r, GE, 1, SUB, 1));
	assert_true(taken(r, LT, 0xffffffff, SUB, 1));
	assert_true(taken(r, LT, 0x80000000, SUB, 1));
	assert_true(taken(r, GE, 0x7fffffff, SUB, 0xffffffff));
	assert_false(taken(r, GE, 0x80000000, SUB, 0x7fffffff));
	assert_true(taken(r, GE, 0x7fffffff, ADD, 1));
	assert_true(taken(r, LT, 0x80000000, ADD, 0x80000000));
}

/* ---- operands ---- */

static void banks(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 10, 3);
	/* Write to bank A, bank B, both. If B is the left operand, the assembler swaps operands. */
	RUN(r, alu(A(2), A(1), SUB, B(1)), alu(B(3), B(1), SUB, A(1)),
	    alu(AB(4), A(1), SUB, B(1)), shf(B(5), A(1), SHL, 1), shf(AB(6), B(1), SHL, 1),
	    immed(B(7), 77), immed(AB(8), 88), ld_field(B(9), 15, A(1), ROT, 0));
	ASSERT_A(r, 2, 7, 0xa0a0a003, 7, 0xa0a0a005, 6, 0xa0a0a007, 88, 0xa0a0a009);
	ASSERT_B(r, 2, 0xb0b0b002, (uint32_t)-7, 7, 20, 6, 77, 88, 10);
}

static void contexts_are_apart(void **state)
{
	struct rig *r = *state;

	RUN(r, immed(AB(5), 1), alu(X(2), NONE, B_, A(5)));
	assert_int_equal(me_gpr(&r->me.ctx[0], ME_R_A, 5), 0);
	assert_int_equal(me_gpr(&r->me.ctx[2], ME_R_B, 5), 0);
	assert_int_equal(r->me.ctx[0].reg[ME_R_OUT + 2], 0);
}

static void immediates(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0x100);
	RUN(r, alu(A(2), A(1), ADD, I(255)), alu(A(3), I(255), SUB, A(1)),
	    shf_or(A(4), A(1), I(0x7f), ROT, 0), shf_or(A(5), A(1), I(0xff), ROT, 0),
	    shf_and(A(6), I(0x80), A(1), SHR, 1));
	ASSERT_A(r, 2, 0x1ff, (uint32_t)-1, 0x17f, 0x1ff, 0x80);
}

/* Instructions read the transfer-in registers, and write the transfer-out registers. */
static void transfer_registers(void **state)
{
	struct rig *r = *state;

	RUN(r, alu(X(3), NONE, B_, X(7)), alu(X(40), X(63), ADD, I(1)),
	    shf(X(4), X(33), SHL, 4), ld_field_clr(A(1), 1, X(9), ROT, 0));
	assert_int_equal(XOUT(r, 3), 0x11111107);
	assert_int_equal(XIN(r, 3), 0x11111103);
	assert_int_equal(XOUT(r, 40), 0x11111140);
	assert_int_equal(XOUT(r, 4), 0x11111210);
	assert_int_equal(RA(r, 1), 9);
}

static void no_destination(void **state)
{
	struct rig *r = *state;
	struct me_ctx before = *r->c;

	RUN(r, alu(NONE, A(1), ADD, B(1)), shf(NONE, A(1), SHR, 3), immed(NONE, 0x1234), NOP);
	assert_memory_equal(r->c->reg, before.reg, ME_R_NONE * 4);
}

static void operand_pairs(void **state)
{
	struct rig *r = *state;

	/* Two sources of the same kind. (Two GPRs of one bank cannot be encoded at all.) */
	FAULTS(r, ME_FAULT_OPERANDS, 0, alu(A(1), X(1), ADD, X(2)));
	FAULTS(r, ME_FAULT_OPERANDS, 0, alu(A(1), LM(0, 1), ADD, LM(0, 2)));
	FAULTS(r, ME_FAULT_OPERANDS, 0, alu(A(1), I(1), ADD, I(2)));
	FAULTS(r, ME_FAULT_OPERANDS, 0, dbl_shf(A(1), X(1), X(2), 3));
	FAULTS(r, ME_FAULT_OPERANDS, 0, cmd(READ32_SWAP, PKT, 0, I(1), I(2), 0, SWAP));
	FAULTS(r, ME_FAULT_OPERANDS, 0, mul_start(X(1), X(2)));
}

/* An operation with one operand has no A. The assembler encodes that as an immediate. */
static void one_operand(void **state)
{
	struct rig *r = *state;

	RUN(r, alu(A(1), I(0), B_, I(7)), alu(A(2), I(0), NOT_, I(7)),
	    shf_op(A(3), I(0), 0, I(7), SHL, 4), alu(A(4), I(0), B_, A(3)),
	    alu(NONE, I(0), B_, A(3)), asr(A(5), I(0x40), 2));
	ASSERT_A(r, 1, 7, ~7u, 0x70, 0x70, 0x10);
	FAULTS(r, ME_FAULT_OPERANDS, 0, alu(A(1), I(0), ADD, I(7)));
	FAULTS(r, ME_FAULT_OPERANDS, 0, shf_op(A(1), I(0), 5, I(7), SHL, 4));
	FAULTS(r, ME_FAULT_OPERANDS, 0, alu(A(1), X(1), B_, X(2)));
}

/* ---- shifts ---- */

static void shifts_by_constant(void **state)
{
	struct rig *r = *state;

	set_b(r, 1, 0x80000001);
	set_a(r, 1, 0x0000000f);
	RUN(r, shf(A(2), B(1), SHL, 1), shf(A(3), B(1), SHL, 31), shf(A(4), B(1), SHR, 1),
	    shf(A(5), B(1), SHR, 31), shf(A(6), B(1), ROT, 0), shf(A(7), B(1), ROT, 1),
	    shf(A(8), B(1), ROT, 31), shf_and(A(9), A(1), B(1), ROT, 31),
	    shf_or(A(10), A(1), B(1), SHL, 4));
	ASSERT_A(r, 2, 0x00000002, 0x80000000, 0x40000000, 0x00000001, 0x80000001, 0xc0000000,
		 0x00000003, 0x00000003, 0x0000001f);
}

static void double_shift(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x11223344, 0x55667788);
	RUN(r, dbl_shf(A(2), A(1), B(1), 8), dbl_shf(A(3), A(1), B(1), 31),
	    dbl_shf(A(4), B(1), A(1), 8));
	ASSERT_A(r, 2, 0x44556677, 0x22446688, 0x88112233);
}

/* An indirect shift takes its amount from the left operand of the previous ALU instruction. */
static uint32_t indirect(struct rig *r, uint32_t amount, uint64_t shift)
{
	set_a(r, 1, amount);
	set_b(r, 3, 0x80000001);
	set_a(r, 4, 0xaaaaaaaa);
	RUN(r, alu(NONE, A(1), OR_, I(0)), shift);
	return RA(r, 2);
}

static void shifts_indirect(void **state)
{
	struct rig *r = *state;

	assert_int_equal(indirect(r, 4, shf(A(2), B(3), SHL, 0)), 0x00000010);
	assert_int_equal(indirect(r, 0, shf(A(2), B(3), SHL, 0)), 0x80000001);
	assert_int_equal(indirect(r, 31, shf(A(2), B(3), SHL, 0)), 0x80000000);
	assert_int_equal(indirect(r, 4, shf(A(2), B(3), SHR, 0)), 0x08000000);
	assert_int_equal(indirect(r, 0, shf(A(2), B(3), SHR, 0)), 0x80000001);
	/* A shift uses five bits of the amount: 32 means 0, 36 means 4. */
	assert_int_equal(indirect(r, 32, shf(A(2), B(3), SHR, 0)), 0x80000001);
	assert_int_equal(indirect(r, 36, shf(A(2), B(3), SHL, 0)), 0x00000010);
	/* A double shift uses six bits: shifted by 32, the result is the upper word. */
	assert_int_equal(indirect(r, 0, dbl_shf(A(2), A(4), B(3), 0)), 0x80000001);
	assert_int_equal(indirect(r, 4, dbl_shf(A(2), A(4), B(3), 0)), 0xa8000000);
	assert_int_equal(indirect(r, 32, dbl_shf(A(2), A(4), B(3), 0)), 0xaaaaaaaa);
	assert_int_equal(indirect(r, 36, dbl_shf(A(2), A(4), B(3), 0)), 0x0aaaaaaa);
}

/* Shift 64 bits left by a register that has 0 to 31: shl_reg64_lt32 of jit.c. */
static void shift_64_by_register(void **state)
{
	static const struct { uint32_t n, hi, lo; } want[] = {
		{ 0, 0x12345678, 0x9abcdef0 },
		{ 1, 0x2468acf1, 0x3579bde0 },
		{ 4, 0x23456789, 0xabcdef00 },
		{ 31, 0x4d5e6f78, 0x00000000 },
	};
	struct rig *r = *state;

	for (unsigned int i = 0; i < 4; i++) {
		me_gpr_set(r->c, 4, want[i].n);
		me_gpr_set(r->c, 2, 0x9abcdef0);
		me_gpr_set(r->c, 3, 0x12345678);
		RUN(r, alu(AB(20), I(32), SUB, B(4)), alu(NONE, A(20), OR_, I(0)),
		    dbl_shf(AB(3), A(3), B(2), 0), alu(NONE, A(4), OR_, I(0)),
		    shf(AB(2), B(2), SHL, 0));
		assert_int_equal(RA(r, 3), want[i].hi);
		assert_int_equal(RA(r, 2), want[i].lo);
	}
}

static void asr_takes_previous_sign(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x80000000, 0x80000000);
	set_b(r, 2, 0x7fffffff);
	RUN(r, alu(NONE, A(1), OR_, I(0)), asr(A(2), B(1), 4),
	    alu(NONE, B(2), OR_, I(0)), asr(A(3), B(2), 4),
	    alu(NONE, A(1), OR_, I(0)), asr(A(4), B(1), 31),
	    /* asr stores its own sign for the next asr, the second half of a 64-bit shift */
	    asr(A(5), B(1), 31));
	ASSERT_A(r, 2, 0xf8000000, 0x07ffffff, 0xffffffff, 0xffffffff);
	/* The JIT ORs amount and value for an asr by register: the sign is bit 31 of the result. */
	set_a(r, 1, 8);
	RUN(r, alu(NONE, A(1), OR_, B(1)), asr(A(2), B(1), 0),
	    alu(NONE, A(1), OR_, B(2)), asr(A(3), B(2), 0));
	ASSERT_A(r, 2, 0xff800000, 0x007fffff);
	set_a(r, 1, 0);
	RUN(r, alu(NONE, A(1), OR_, B(1)), asr(A(2), B(1), 0));
	assert_int_equal(RA(r, 2), 0x80000000);
	set_a(r, 1, 0x80000008);
	RUN(r, alu(NONE, A(1), OR_, B(2)), asr(A(2), B(2), 0));
	assert_int_equal(RA(r, 2), 0xff7fffff);
}

/* ---- ld_field, immed ---- */

static void fields(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0x11223344);
	set_a(r, 2, 0x11223344);
	set_a(r, 3, 0x11223344);
	set_a(r, 4, 0x11223344);
	set_a(r, 6, 0x11223344);
	set_b(r, 1, 0xaabbccdd);
	RUN(r, ld_field(A(1), 5, B(1), ROT, 0), ld_field(A(2), 3, B(1), SHR, 16),
	    ld_field(A(3), 12, B(1), SHL, 16), ld_field(A(4), 8, B(1), ROT, 8),
	    ld_field_clr(A(5), 2, B(1), ROT, 0), ld_field(A(6), 1, I(0xfe), ROT, 0),
	    ld_field_clr(AB(7), 1, B(1), SHR, 24));
	ASSERT_A(r, 1, 0x11bb33dd, 0x1122aabb, 0xccdd3344, 0xdd223344, 0x0000cc00, 0x112233fe);
	assert_int_equal(RB(r, 7), 0x000000aa);
}

/* ld_field and immed do not change the flags. */
static void fields_keep_flags(void **state)
{
	struct rig *r = *state;

	set_b(r, 1, 1);
	RUN(r, alu(NONE, I(1), SUB, B(1)), immed(A(2), 5), ld_field_clr(A(3), 15, B(1), ROT, 0),
	    immed(A(9), 1), br(EQ, START + 6, 0), immed(A(9), 0));
	assert_int_equal(RA(r, 9), 1);
}

static void constants(void **state)
{
	struct rig *r = *state;

	RUN(r, immed(A(1), 0xbeef), immed_any(A(2), 0xbeef, 1, false, false),
	    immed_any(A(3), 0xbeef, 2, false, false), immed_any(A(4), 0xbeef, 0, true, false),
	    immed_any(A(5), 0xbeef, 1, true, false), immed_any(A(6), 0xbeef, 2, true, false),
	    immed(AB(7), 0x5678), immed_w1(AB(7), 0x1234), immed(B(8), 0x5678),
	    immed_any(B(8), 0x1111, 0, false, true), immed(X(5), 0x77), immed_w1(X(5), 0x66));
	ASSERT_A(r, 1, 0x0000beef, 0x00beef00, 0xbeef0000, 0xffff4110, 0xff4110ff, 0x4110ffff,
		 0x12345678);
	ASSERT_B(r, 7, 0x12345678, 0x1111);
	assert_int_equal(XOUT(r, 5), 0x660077);
}

/* ---- products ---- */

#define MUL32(l, r)	mul_start(l, r), mul_step(l, 32, 1, r), mul_step(l, 32, 2, r), \
			mul_step(l, 32, 3, r), mul_step(l, 32, 4, r)
#define MUL16(l, r)	mul_start(l, r), mul_step(l, 16, 1, r), mul_step(l, 16, 2, r)

static void products(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0xffffffff, 0xfffffffe);
	RUN(r, MUL32(A(1), B(1)), mul_last(AB(2), 32), mul_last2(AB(3)));
	assert_int_equal(RA(r, 2), 0x00000002);
	assert_int_equal(RB(r, 3), 0xfffffffd);
	/* swapped operands, a destination in one bank, no destination */
	RUN(r, MUL32(B(1), A(1)), mul_last(NONE, 32), mul_last2(B(4)));
	assert_int_equal(RB(r, 4), 0xfffffffd);
	assert_int_equal(RA(r, 4), 0xa0a0a004);
	/* multiply the low 16 bits only */
	RUN(r, MUL16(A(1), B(1)), mul_last(A(5), 16));
	assert_int_equal(RA(r, 5), 0xfffd0002);
	RUN(r, MUL32(A(1), I(10)), mul_last(A(5), 32), mul_last2(A(6)));
	ASSERT_A(r, 5, 0xfffffff6, 9);
}

/* The JIT's division by 28 does an indirect shift after a product, and expects an amount of 0. */
static void product_clears_shift_amount(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 7, 0x24924925);
	RUN(r, alu(NONE, I(3), OR_, B(1)), MUL32(A(1), B(1)), mul_last(NONE, 32),
	    mul_last2(AB(2)), shf(A(3), B(2), SHR, 0));
	ASSERT_A(r, 2, 1, 1);
}

static void product_out_of_order(void **state)
{
	struct rig *r = *state;

	FAULTS(r, ME_FAULT_MUL, 0, mul_step(A(1), 32, 1, B(1)));
	FAULTS(r, ME_FAULT_MUL, 1, mul_start(A(1), B(1)), mul_step(A(1), 32, 2, B(1)));
	FAULTS(r, ME_FAULT_MUL, 2, mul_start(A(1), B(1)), mul_step(A(1), 32, 1, B(1)),
	       mul_step(A(1), 16, 2, B(1)));
	FAULTS(r, ME_FAULT_MUL, 1, mul_start(A(1), B(1)), mul_last(A(2), 32));
	FAULTS(r, ME_FAULT_MUL, 3, MUL16(A(1), B(1)), mul_last(A(2), 32));
	FAULTS(r, ME_FAULT_MUL, 5, MUL32(A(1), B(1)), mul_last2(A(2)));
	FAULTS(r, ME_FAULT_MUL, 6, MUL32(A(1), B(1)), mul_last(A(2), 32), mul_last(A(2), 32));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(alu_logic),
		RIG_TEST(alu_sums),
		RIG_TEST(alu_carry_chain),
		RIG_TEST(carry_survives),
		RIG_TEST(flags_zero_negative),
		RIG_TEST(flags_carry),
		RIG_TEST(flags_overflow),
		RIG_TEST(banks),
		RIG_TEST(contexts_are_apart),
		RIG_TEST(immediates),
		RIG_TEST(transfer_registers),
		RIG_TEST(no_destination),
		RIG_TEST(operand_pairs),
		RIG_TEST(one_operand),
		RIG_TEST(shifts_by_constant),
		RIG_TEST(double_shift),
		RIG_TEST(shifts_indirect),
		RIG_TEST(shift_64_by_register),
		RIG_TEST(asr_takes_previous_sign),
		RIG_TEST(fields),
		RIG_TEST(fields_keep_flags),
		RIG_TEST(constants),
		RIG_TEST(products),
		RIG_TEST(product_clears_shift_amount),
		RIG_TEST(product_out_of_order),
	};

	return cmocka_run_group_tests_name("me_alu", tests, NULL, NULL);
}
