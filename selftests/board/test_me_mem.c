// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_mem.c - microengine: local memory, CSRs, commands.
 */
#include "me_rig.h"

#include "board.h"
#include "board_fw.h"

/* Initialise each word of local memory with its index. */
static int lm_setup(void **state)
{
	struct rig *r;

	rig_setup(state);
	r = *state;
	for (unsigned int i = 0; i < ME_LM_WORDS; i++)
		r->me.lm[i] = i;
	for (unsigned int i = 0; i < MEM_SIZE; i++) {
		r->pkt[i] = i;
		r->mu[i] = 0x80 + i;
	}
	return 0;
}

#define LM_TEST(f)	cmocka_unit_test_setup_teardown(f, lm_setup, rig_teardown)

/* ---- local memory ---- */

static void lm_offsets(void **state)
{
	struct rig *r = *state;

	for (unsigned int i = 0; i < 4; i++)
		me_lm_addr(r->c, i, 0x100 * (i + 1));
	RUN(r, alu(A(1), NONE, B_, LM(0, 0)), alu(A(2), NONE, B_, LM(1, 15)),
	    alu(A(3), LM(2, 3), ADD, I(0)), alu(A(4), NONE, B_, LM(3, 4)),
	    shf(A(5), LM(3, 7), SHL, 4), ld_field_clr(A(6), 1, LM(2, 1), ROT, 0),
	    alu(LM(0, 5), LM(0, 5), ADD, I(3)), immed(LM(1, 2), 0xabc), immed_w1(LM(3, 1), 7),
	    ld_field(LM(2, 2), 8, A(3), ROT, 8), shf(LM(3, 3), A(3), SHL, 8));
	ASSERT_A(r, 1, 0x40, 0x8f, 0xc3, 0x104, 0x1070, 0xc1);
	assert_int_equal(r->me.lm[0x45], 0x48);
	assert_int_equal(r->me.lm[0x82], 0xabc);
	assert_int_equal(r->me.lm[0x101], 0x00070101);
	assert_int_equal(r->me.lm[0xc2], 0xc30000c2);
	assert_int_equal(r->me.lm[0x103], 0xc300);
}

/* The offset is ORed to the pointer: bits that the pointer already has are not added. */
static void lm_offset_is_ored(void **state)
{
	struct rig *r = *state;

	me_lm_addr(r->c, 0, 0x104);
	RUN(r, alu(A(1), NONE, B_, LM(0, 1)), alu(A(2), NONE, B_, LM(0, 2)));
	ASSERT_A(r, 1, 0x41, 0x43);
	/* The low two bits of a pointer are ignored. */
	me_lm_addr(r->c, 0, 0x107);
	RUN(r, alu(A(1), NONE, B_, LM(0, 0)));
	assert_int_equal(RA(r, 1), 0x41);
}

static void lm_post_modify(void **state)
{
	struct rig *r = *state;

	me_lm_addr(r->c, 0, 0x100);
	me_lm_addr(r->c, 3, 0x200);
	RUN(r, alu(A(1), NONE, B_, LMINC(0)), alu(A(2), NONE, B_, LMINC(0)),
	    alu(A(3), NONE, B_, LMDEC(0)), alu(A(4), NONE, B_, LM(0, 0)),
	    alu(LMINC(3), NONE, B_, A(1)), alu(LMINC(3), NONE, B_, A(2)), immed(LMDEC(3), 9),
	    alu(A(5), NONE, B_, LM(3, 0)));
	ASSERT_A(r, 1, 0x40, 0x41, 0x42, 0x41);
	ASSERT_LM(r, 0x80, 0x40, 0x41, 9);
	assert_int_equal(RA(r, 5), 0x41);
	/* Pointers wrap at both ends of local memory. */
	me_lm_addr(r->c, 0, 0xffc);
	me_lm_addr(r->c, 3, 0);
	RUN(r, alu(A(1), NONE, B_, LMINC(0)), alu(A(2), NONE, B_, LM(0, 0)),
	    alu(A(3), NONE, B_, LMDEC(3)), alu(A(4), NONE, B_, LM(3, 0)));
	ASSERT_A(r, 1, 0x3ff, 0, 0, 0x3ff);
}

static void lm_of_contexts_is_one(void **state)
{
	struct rig *r = *state;

	me_lm_addr(&r->me.ctx[0], 0, 0x300);
	me_lm_addr(r->c, 0, 0x100);
	RUN(r, immed(LM(0, 0), 0x5555));
	assert_int_equal(r->me.ctx[0].lm_addr[0], 0x300);
	me_start(&r->me, 0, r->img, START);
	assert_int_equal(me_run(&r->me, 0, BUDGET), ME_DONE);
	assert_int_equal(r->me.lm[0x40], 0x5555);
	assert_int_equal(r->me.lm[0xc0], 0x5555);
}

/* ---- CSRs ---- */

static void csr_sets_pointers(void **state)
{
	struct rig *r = *state;

	for (unsigned int i = 0; i < 4; i++) {
		set_a(r, 1, 0x12340);
		RUN(r, csr_wr(CSR_LM(i), A(1)), NOP, NOP, NOP, alu(A(2), NONE, B_, LM(i, 1)));
		assert_int_equal(RA(r, 2), 0x340 / 4 + 1);
		set_b(r, 1, 0x80);
		RUN(r, csr_wr(CSR_LM(i), B(1)), NOP, NOP, NOP, alu(A(2), NONE, B_, LM(i, 0)));
		assert_int_equal(RA(r, 2), 0x20);
		RUN(r, csr_wr(CSR_LM(i), I(0xf0)), NOP, NOP, NOP, immed(LM(i, 0), 0x77));
		assert_int_equal(r->me.lm[0x3c], 0x77);
		r->me.lm[0x3c] = 0x3c;
	}
}

/*
 * For three cycles after a write of an LM pointer, hardware uses the old pointer. No program relies
 * on that, so the emulation faults on a use in these cycles.
 */
static void csr_latency(void **state)
{
	struct rig *r = *state;
	uint64_t wr = csr_wr(CSR_LM(0), I(0x40)), use = alu(A(2), NONE, B_, LM(0, 0));

	FAULTS(r, ME_FAULT_LM_EARLY, 1, wr, use);
	FAULTS(r, ME_FAULT_LM_EARLY, 3, wr, NOP, NOP, use);
	FAULTS(r, ME_FAULT_LM_EARLY, 1, wr, immed(LM(0, 0), 1));
	RUN(r, wr, NOP, NOP, NOP, use);
	/* Other pointers can be used at once. */
	RUN(r, wr, alu(A(2), NONE, B_, LM(1, 0)));
	/* The empty slots of a taken branch count as cycles: jit.c, bpf_to_bpf_call(). */
	RUN(r, wr, br(ALWAYS, START + 3, 1), NOP, use);
	RUN(r, wr, br(ALWAYS, START + 2, 0), use);
	/* A branch that is not taken has no empty slots. */
	FAULTS(r, ME_FAULT_LM_EARLY, 2, wr, br(NE, START + 2, 0), use);
	/* A pointer that firmware sets before the program starts can be used at once. */
	me_lm_addr(r->c, 0, 0x40);
	RUN(r, use);
}

static void csr_random(void **state)
{
	struct rig *r = *state;
	uint32_t first;

	/* The first immed after the read loads the random number, the second its constant. */
	RUN(r, csr_rd(CSR_RANDOM), immed(AB(0), 0), immed(AB(1), 0), csr_rd(CSR_RANDOM),
	    immed(LM(0, 0), 0));
	first = RA(r, 0);
	assert_int_not_equal(first, 0);
	assert_int_equal(RB(r, 0), first);
	assert_int_equal(RA(r, 1), 0);
	assert_int_not_equal(r->me.lm[r->c->lm_addr[0] / 4], first);
	/* With the same seed, the numbers repeat. */
	r->me.random = 0x2545f491;
	RUN(r, csr_rd(CSR_RANDOM), immed(A(2), 0));
	assert_int_equal(RA(r, 2), first);
	FAULTS(r, ME_FAULT_CSR_READ, 0, csr_rd(CSR_RANDOM), alu(A(1), A(1), ADD, I(1)));
}

/* ---- commands: packet addressing ---- */

static void read_packet(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x20, 3);
	/* Read one, two and eight little-endian words from any byte offset. */
	RUN(r, cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP),
	    cmd(READ32_SWAP, PKT, 2, A(1), B(1), 1, SWAP),
	    cmd(READ32_SWAP, PKT, 10, A(1), I(0x7f), 7, SWAP));
	ASSERT_IN(r, 0, 0x23222120, 0x11111101, 0x26252423, 0x2a292827);
	assert_int_equal(XIN(r, 10), 0xa2a1a09f);
	assert_int_equal(XIN(r, 17), 0xbebdbcbb);
	assert_int_equal(r->c->signals, 0);
}

/* LD_ABS and LD_IND use read8, which gives big-endian words. */
static void read_packet_big_endian(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0x21);
	RUN(r, cmd(READ8, PKT, 0, A(1), I(0), 3, SWAP), cmd(READ8, PKT, 2, A(1), I(0), 7, SWAP),
	    shf(A(2), X(0), SHR, 16));
	assert_int_equal(XIN(r, 0), 0x21222324);
	ASSERT_IN(r, 2, 0x21222324, 0x25262728);
	assert_int_equal(RA(r, 2), 0x2122);
}

/* The address is the sum of both operands, modulo 2^32. */
static void packet_address_wraps(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0xffffffff);
	RUN(r, cmd(READ32_SWAP, PKT, 0, A(1), I(5), 0, SWAP));
	assert_int_equal(XIN(r, 0), 0x07060504);
}

static void write_packet(void **state)
{
	struct rig *r = *state;
	static const uint8_t bytes[] = { 0x10, 0x04, 0x0f, 0x0f, 0x0f, 0x05, 0x0f, 0x17 };

	set_a(r, 1, 0x10);
	RUN(r, cmd(WRITE8_SWAP, PKT, 4, A(1), I(1), 5, SWAP),
	    cmd(WRITE32_SWAP, PKT, 8, A(1), I(0x20), 1, SWAP));
	assert_memory_equal(r->pkt + 0x10, bytes, 8);
	assert_memory_equal(r->pkt + 0x30, "\x08\x0f\x0f\x0f\x09\x0f\x0f\x0f\x38", 9);
}

/* A length above eight, the most of the count field, comes from the previous ALU result. */
static void length_override(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0);
	RUN(r, immed(NONE, 0x80 | 31 << 8), cmd_indir(READ32_SWAP, PKT, 0, A(1), I(4), 7, SWAP));
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(XIN(r, i), 0x07060504 + i * 0x04040404);
	assert_int_equal(XIN(r, 32), 0x11111120);
	/* Write 27 bytes: the override replaces the count field. */
	memset(r->pkt, 0xee, 64);
	RUN(r, immed(NONE, 0x80 | 26 << 8), cmd_indir(WRITE8_SWAP, PKT, 0, A(1), I(1), 2, SWAP));
	assert_int_equal(r->pkt[0], 0xee);
	assert_int_equal(r->pkt[1], 0x00);
	assert_int_equal(r->pkt[25], 0x06);
	assert_int_equal(r->pkt[27], 0x0f);
	assert_int_equal(r->pkt[28], 0xee);
	/* Without the override bit, the count field is used. */
	RUN(r, immed(NONE, 31 << 8), cmd_indir(READ32_SWAP, PKT, 40, A(1), I(4), 1, SWAP));
	assert_int_equal(XIN(r, 42), 0x1111112a);
}

/* ---- commands: memory units ---- */

static void mu_addr(struct rig *r, uint32_t off)
{
	set_ab(r, 1, (uint32_t)(MU_BASE & 0xff) + off, (uint32_t)(MU_BASE >> 8));
}

static void read_map_value(void **state)
{
	struct rig *r = *state;

	mu_addr(r, 0x13);
	RUN(r, cmd(READ32_SWAP, MU, 0, A(1), B(1), 1, SWAP));
	ASSERT_IN(r, 0, 0x96959493, 0x9a999897);
}

static void add_to_counters(void **state)
{
	struct rig *r = *state;

	/* The data registers are written in the slots after the command. */
	memset(r->mu, 0, 64);
	mu_addr(r, 8);
	set_a(r, 2, 0x01020304);
	set_a(r, 3, 0x05060708);
	RUN(r, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1), alu(X(0), NONE, B_, A(2)));
	assert_memory_equal(r->mu + 8, "\x01\x02\x03\x04\0\0\0\0", 8);
	RUN(r, cmd(CADD, MU, 0, A(1), B(1), 4, SWAP_DEFER2), alu(X(0), NONE, B_, A(2)),
	    alu(X(1), NONE, B_, A(3)), alu(A(4), I(1), ADD, A(2)));
	assert_memory_equal(r->mu + 8, "\x02\x04\x06\x08\x05\x06\x07\x08", 8);
	assert_int_equal(RA(r, 4), 0x01020305);
	/* The command reads its address before the slots run. */
	RUN(r, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER2), immed(A(1), 0), immed(X(0), 1));
	assert_memory_equal(r->mu + 8, "\x02\x04\x06\x09\x05\x06\x07\x08", 8);
	/* The carry goes from the low word, which comes first, to the high word. */
	memset(r->mu + 8, 0xff, 4);
	memset(r->mu + 12, 0, 4);
	mu_addr(r, 8);
	RUN(r, cmd(CADD, MU, 0, A(1), B(1), 4, SWAP_DEFER2), immed(X(0), 1), immed(X(1), 0));
	assert_memory_equal(r->mu + 8, "\0\0\0\0\0\0\0\x01", 8);
	memset(r->mu + 8, 0xff, 4);
	RUN(r, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1), immed(X(0), 2));
	assert_memory_equal(r->mu + 8, "\0\0\0\x01\0\0\0\x01", 8);
}

/* The previous result has a 16-bit addend beside the override: jit.c, mem_xadd(). */
static void add_immediate(void **state)
{
	struct rig *r = *state;

	memset(r->mu, 0, 64);
	mu_addr(r, 16);
	set_b(r, 2, 0xfffe);
	RUN(r, immed(A(20), 0x10 | 0x80 | 8 << 8), ld_field(A(20), 12, B(2), SHL, 16),
	    cmd_indir(CADD_IMM, MU, 0, A(1), B(1), 0, NO_SWAP));
	assert_memory_equal(r->mu + 16, "\0\0\xff\xfe\0\0\0\0", 8);
	memset(r->mu + 16, 0xff, 4);
	RUN(r, immed(A(20), 0x10 | 0x80 | 12 << 8), ld_field(A(20), 12, B(2), SHL, 16),
	    cmd_indir(CADD_IMM, MU, 0, A(1), B(1), 0, NO_SWAP));
	assert_memory_equal(r->mu + 16, "\0\0\xff\xfd\0\0\0\x01", 8);
}

/* Commands do not change the flags. After a swap, a written LM pointer can be used. */
static void command_and_state(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0);
	set_b(r, 2, 1);
	RUN(r, immed(A(9), 1), alu(NONE, I(1), SUB, B(2)), csr_wr(CSR_LM(0), I(0x40)),
	    cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP), alu(A(3), NONE, B_, LM(0, 0)),
	    br(LO, START + 7, 0), immed(A(9), 2), NOP);
	assert_int_equal(RA(r, 3), 0x10);
	assert_int_equal(RA(r, 9), 2);
}

static void command_faults(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, MEM_SIZE - 3);
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP));
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(WRITE8_SWAP, PKT, 0, A(1), I(0), 3, SWAP));
	mu_addr(r, MEM_SIZE);
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(READ32_SWAP, MU, 0, A(1), B(1), 0, SWAP));
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1), NOP);
	mu_addr(r, 4);
	FAULTS(r, ME_FAULT_ALIGN, 0, cmd(CADD, MU, 0, A(1), B(1), 4, SWAP_DEFER1), NOP);
	mu_addr(r, 2);
	FAULTS(r, ME_FAULT_ALIGN, 0, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1), NOP);
	r->commands = 0;
	set_a(r, 1, 0);
	FAULTS(r, ME_FAULT_XFER, 0, cmd(READ32_SWAP, PKT, 63, A(1), I(0), 1, SWAP));
	FAULTS(r, ME_FAULT_XFER, 0, cmd(WRITE8_SWAP, PKT, 63, A(1), I(0), 4, SWAP));
	FAULTS(r, ME_FAULT_XFER, 0, cmd(CADD, MU, 63, A(1), B(1), 4, SWAP_DEFER1), NOP);
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 0x81),
	       cmd_indir(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP));
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 0x90 | 4 << 8),
	       cmd_indir(CADD_IMM, MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 0x80 | 8 << 8),
	       cmd_indir(CADD_IMM, MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_SIGNAL, 0,
	       cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP) & ~(0xfull << 28));
	assert_int_equal(r->commands, 0);
}

/* ---- a board's memory units ---- */

static void board_memory(void **state)
{
	struct rig *r = *state;
	struct board *b = board_create(NULL, NULL);
	const uint64_t imem = 0x9c00000000;	/* island 28, direct access */
	uint8_t *mem;

	assert_non_null(b);
	mem = board_mem_ptr(b, imem, 64);
	assert_non_null(mem);
	memcpy(mem, "\1\2\3\4\5\6\7\10", 8);
	r->me.ops = &me_mu_ops;
	r->me.priv = b;
	set_ab(r, 1, 0, imem >> 8);
	RUN(r, cmd(READ32_SWAP, MU, 0, A(1), B(1), 1, SWAP),
	    cmd(WRITE32_SWAP, MU, 4, A(1), B(1), 0, SWAP), immed(A(1), 8),
	    cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1), immed(X(0), 0x102));
	ASSERT_IN(r, 0, 0x04030201, 0x08070605);
	assert_memory_equal(mem, "\4\17\17\17\5\6\7\10\0\0\1\2", 12);
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP));
	set_b(r, 1, 0x3fffffff);
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(WRITE32_SWAP, MU, 0, A(1), B(1), 0, SWAP));
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(CADD, MU, 0, A(1), B(1), 4, SWAP_DEFER1), NOP);
	board_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LM_TEST(lm_offsets),
		LM_TEST(lm_offset_is_ored),
		LM_TEST(lm_post_modify),
		LM_TEST(lm_of_contexts_is_one),
		LM_TEST(csr_sets_pointers),
		LM_TEST(csr_latency),
		LM_TEST(csr_random),
		LM_TEST(read_packet),
		LM_TEST(read_packet_big_endian),
		LM_TEST(packet_address_wraps),
		LM_TEST(write_packet),
		LM_TEST(length_override),
		LM_TEST(read_map_value),
		LM_TEST(add_to_counters),
		LM_TEST(add_immediate),
		LM_TEST(command_and_state),
		LM_TEST(command_faults),
		LM_TEST(board_memory),
	};

	return cmocka_run_group_tests_name("me_mem", tests, NULL, NULL);
}
