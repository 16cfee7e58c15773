// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_far.c - microengine: what firmware of whole microengines has, and the driver's programs
 * have not: operations, use of flags, registers of other contexts.
 */
#include "me_rig.h"

static bool taken(struct rig *r, uint64_t set, uint64_t keep, enum br_cond cond)
{
	RUN(r, immed(A(9), 1), set, keep, br(cond, START + 5, 0), immed(A(9), 0));
	return RA(r, 9);
}

/* ---- operations ---- */

static void sums(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x10000, 0xffff0003);
	RUN(r, alu(A(2), A(1), ADD8, B(1)), alu(A(3), A(1), RSUB, B(1)));
	ASSERT_A(r, 2, 0x10003, 0xfffe0003);
	/* B - A: C set means no borrow */
	assert_true(taken(r, alu(NONE, I(2), RSUB, A(1)), NOP, HS));
	set_a(r, 1, 1);
	assert_true(taken(r, alu(NONE, A(1), RSUB, I(0)), NOP, LO));
	assert_true(taken(r, alu(NONE, A(1), RSUB, I(0)), NOP, MI));
}

/* Z tells that no bit is set: the number of bit 0 is 0, too. */
static void first_bit(void **state)
{
	struct rig *r = *state;

	for (unsigned int i = 0; i < 32; i += 31) {
		set_b(r, 1, 0x80000000 | 1u << i);
		RUN(r, alu(A(2), I(0), FFS, B(1)));
		assert_int_equal(RA(r, 2), i);
		assert_true(taken(r, alu(A(2), I(0), FFS, B(1)), NOP, NE));
	}
	set_b(r, 1, 0);
	assert_true(taken(r, alu(A(2), I(0), FFS, B(1)), NOP, EQ));
}

static void negated_shifts(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0xff, 0x80000011);
	RUN(r, shf_op(A(2), A(1), 4, B(1), SHL, 4), shf_op(A(3), A(1), 3, B(1), ROT, 4),
	    shf_op(A(4), NONE, 1, B(1), SHR, 4), shf_op(A(5), A(1), 4, B(1), ROT, 0));
	ASSERT_A(r, 2, 0xef, 0x18000000 & ~0xff, 0xf7fffffe, 0xee);
	/* by the left operand of the previous instruction; 0 is an amount there */
	RUN(r, immed(A(6), 8), alu(NONE, A(6), OR_, I(0)), shf_op(A(2), A(1), 4, B(1), SHL, 0),
	    immed(A(6), 0), alu(NONE, A(6), OR_, I(0)), shf_op(A(3), A(1), 4, B(1), SHR, 0));
	ASSERT_A(r, 2, 0xff, 0xee);
}

/* The examples of the IXP2800's manual, with ByteIndex 2; and both ends */
static void byte_align(void **state)
{
	struct rig *r = *state;
	unsigned int i;

	set_ab(r, 1, 0x00010203, 0x03020100);
	set_ab(r, 2, 0x04050607, 0x07060504);
	for (i = 0; i < 4; i++) {
		RUN(r, csr_wr(CSR_BYTE_INDEX, I(i)), NOP, NOP, NOP,
		    shf_op(NONE, I(0), 7, A(1), SHR, 0), alu(A(5), A(1), ADD, B(2)),
		    shf_op(A(3), I(0), 7, A(2), SHR, 0),
		    shf_op(NONE, B(1), 7, I(0), SHL, 0), shf_op(A(4), B(2), 7, I(0), SHL, 0));
		assert_int_equal(RA(r, 3), 0x00010203 + 0x01010101 * i);
		assert_int_equal(RA(r, 4), 0x03020100 + 0x01010101 * i);
	}
}

static void single_byte(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0x11223344);
	set_b(r, 1, 0x11223344);
	RUN(r, immed_b(A(1), 0xaa, 0), immed_b(A(1), 0xbb, 3), immed_b(B(1), 0xcc, 1),
	    immed_b(X(2), 0xdd, 2));
	assert_int_equal(RA(r, 1), 0xbb2233aa);
	assert_int_equal(RB(r, 1), 0x1122cc44);
	assert_int_equal(XOUT(r, 2), 0x0fdd0f02);
}

/* 24 bits of the left operand by 8 bits of the right one */
static void small_product(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x12345678, 0x9fe);
	RUN(r, mul_start(A(1), B(1)), mul_any(NONE, A(1), 1, 0, B(1)), mul_any(A(2), NONE, 1, 4,
									       NONE));
	assert_int_equal(RA(r, 2), 0x345678u * 0xfe);
	FAULTS(r, ME_FAULT_MUL, 1, mul_start(A(1), B(1)), mul_any(A(2), NONE, 1, 4, NONE));
}

/* ---- flags ---- */

static void flags_kept(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 1, 1);
	set_ab(r, 2, 0x80000000, 0x80000000);
	assert_true(taken(r, alu(NONE, A(1), SUB, B(1)), no_cc(alu(A(3), A(1), ADD, B(1))), EQ));
	assert_int_equal(RA(r, 3), 2);
	assert_true(taken(r, alu(NONE, A(1), SUB, B(2)), no_cc(alu(A(3), A(1), ADD, B(1))), LO));
	assert_true(taken(r, alu(NONE, A(2), ADD, B(2)), no_cc(alu(A(3), A(1), ADD, B(1))), VS));
	assert_true(taken(r, alu(NONE, A(1), SUB, B(1)), no_cc(shf(A(3), A(1), SHL, 4)), EQ));
	assert_int_equal(RA(r, 3), 16);
	/* The previous result and the previous left operand are those of the instruction. */
	RUN(r, no_cc(alu(NONE, I(4), OR_, B(2))), shf(A(3), B(1), SHL, 0),
	    no_cc(alu(NONE, B(2), OR_, I(0))), asr(A(4), B(2), 4));
	ASSERT_A(r, 3, 16, 0xf8000000);
}

static void flags_loaded(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0xff00, 1);
	assert_true(taken(r, alu(NONE, I(1), OR_, B(1)),
			  load_cc(ld_field_clr(A(2), 1, A(1), ROT, 0)), EQ));
	assert_true(taken(r, alu(NONE, I(1), SUB, B(1)),
			  load_cc(ld_field_clr(A(2), 8, A(1), SHL, 16)), MI));
	/* C keeps its value. */
	assert_true(taken(r, alu(NONE, I(0), SUB, B(1)),
			  load_cc(ld_field_clr(A(2), 1, A(1), ROT, 0)), LO));
}

static void conditions(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x7fffffff, 0xffffffff);
	set_ab(r, 2, 5, 5);
	assert_true(taken(r, alu(NONE, A(2), SUB, B(2)), NOP, LE));
	assert_false(taken(r, alu(NONE, A(2), SUB, B(2)), NOP, GT));
	assert_true(taken(r, alu(NONE, A(1), SUB, B(1)), NOP, GT));	/* overflows */
	assert_true(taken(r, alu(NONE, A(1), SUB, B(1)), NOP, VS));
	assert_false(taken(r, alu(NONE, A(1), SUB, B(1)), NOP, VC));
	assert_true(taken(r, alu(NONE, A(2), SUB, B(1)), NOP, VC));
	assert_true(taken(r, alu(NONE, B(1), SUB, A(1)), NOP, LE));
	assert_true(taken(r, alu(NONE, A(2), SUB, B(2)), NOP, PL));
	assert_false(taken(r, alu(NONE, B(1), OR_, I(0)), NOP, PL));
}

/* ---- registers of other contexts ---- */

static void absolute_8(void **state)
{
	struct rig *r = *state;

	r->mode = ME_CTX8;
	set_a(r, 1, 77);
	me_gpr_set(&r->me.ctx[7], 15, 1000);
	/* Context 1 has the absolute numbers 16 to 31. */
	RUN(r, alu(A(2), NONE, B_, ABS_A(17)), alu(A(3), A(1), ADD, ABS_B(127)),
	    alu(ABS_A(5), A(1), ADD, I(1)), immed(ABS_B(6), 0x66), alu(NONE, ABS_A(127), OR_, I(0)),
	    br_bit(A(1), 0, true, START + 6, 0), no_cc(alu(ABS_B(38), NONE, B_, ABS_B(127))));
	ASSERT_A(r, 2, 77, 1077);
	assert_int_equal(me_gpr(&r->me.ctx[0], ME_R_A, 5), 78);
	assert_int_equal(me_gpr(&r->me.ctx[0], ME_R_B, 6), 0x66);
	assert_int_equal(me_gpr(&r->me.ctx[2], ME_R_B, 6), 1000);
	assert_int_equal(me_gpr(&r->me.ctx[2], ME_R_A, 6), 0);
	/* GPRs 0 to 15 only, and transfer registers 0 to 31 */
	FAULTS(r, ME_FAULT_ENCODING, 0, alu(A(16), NONE, B_, I(0)));
	FAULTS(r, ME_FAULT_ENCODING, 0, alu(A(1), NONE, B_, X(16)));
}

static void absolute_4(void **state)
{
	struct rig *r = *state;

	r->mode = ME_CTX4;
	me_gpr_set(&r->me.ctx[2], 31, 123);
	me_gpr_set(&r->me.ctx[6], 0, 456);
	RUN(r, alu(A(2), NONE, B_, ABS_A(63)), alu(A(3), NONE, B_, ABS_B(96)));
	ASSERT_A(r, 2, 123, 456);
}

static void write_both_absolute(void **state)
{
	struct rig *r = *state;

	r->mode = ME_CTX8;
	RUN(r, alu(ABS_A(2), NONE, B_, I(9)) | 1ull << 41);
	assert_int_equal(me_gpr(&r->me.ctx[0], ME_R_A, 2), 9);
	assert_int_equal(me_gpr(&r->me.ctx[0], ME_R_B, 2), 9);
}

static void transfer_8(void **state)
{
	struct rig *r = *state;

	r->mode = ME_CTX8;
	RUN(r, alu(X8(3), NONE, B_, X8(31)), shf(X8(16), X8(15), SHL, 4));
	assert_int_equal(XOUT(r, 3), 0x1111111f);
	assert_int_equal(XOUT(r, 16), 0x111110f0);
}

/* XferIndex is context << 7 | register << 2. A read takes the read register, a write the other. */
static void indexed_transfer(void **state)
{
	struct rig *r = *state;
	uint64_t set = csr_wr(CSR_INDEX, A(1));

	r->mode = ME_CTX8;
	r->me.ctx[2].reg[ME_R_IN + 4] = 0x44;
	r->me.ctx[2].reg[ME_R_IN + 5] = 0x55;
	set_a(r, 1, 2 << 7 | 4 << 2);
	RUN(r, set, NOP, NOP, NOP, alu(A(2), NONE, B_, INDEXINC), alu(A(3), NONE, B_, INDEXDEC),
	    alu(A(4), I(1), ADD, INDEX), alu(INDEXINC, NONE, B_, I(7)), immed(INDEX, 8),
	    csr_rd(CSR_INDEX), immed(A(5), 0), br_bit(INDEX, 0, true, START + 13, 0), immed(A(2),
											    0));
	ASSERT_A(r, 2, 0x44, 0x55, 0x45, 2 << 7 | 5 << 2);
	assert_int_equal(r->me.ctx[2].reg[ME_R_OUT + 4], 7);
	assert_int_equal(r->me.ctx[2].reg[ME_R_OUT + 5], 8);
	/* The last register of the last context is followed by the first. */
	set_a(r, 1, 0x3fc);
	RUN(r, set, NOP, NOP, NOP, alu(A(2), NONE, B_, INDEXINC), csr_rd(CSR_INDEX), immed(A(5),
											   1));
	assert_int_equal(RA(r, 5), 0);
	FAULTS(r, ME_FAULT_LM_EARLY, 3, set, NOP, NOP, alu(A(2), NONE, B_, INDEX));
	/* Four contexts have twice as many registers each. */
	r->mode = ME_CTX4;
	r->me.ctx[6].reg[ME_R_IN + 33] = 0x99;
	set_a(r, 1, 7 << 7 | 1 << 2);
	RUN(r, set, NOP, NOP, NOP, alu(A(2), NONE, B_, INDEX));
	assert_int_equal(RA(r, 2), 0x99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(sums),
		RIG_TEST(first_bit),
		RIG_TEST(negated_shifts),
		RIG_TEST(byte_align),
		RIG_TEST(single_byte),
		RIG_TEST(small_product),
		RIG_TEST(flags_kept),
		RIG_TEST(flags_loaded),
		RIG_TEST(conditions),
		RIG_TEST(absolute_8),
		RIG_TEST(absolute_4),
		RIG_TEST(write_both_absolute),
		RIG_TEST(transfer_8),
		RIG_TEST(indexed_transfer),
	};

	return cmocka_run_group_tests_name("me_far", tests, NULL, NULL);
}
