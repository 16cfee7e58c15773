// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_bus.c - whole microengines: commands, and those of memory units on the board's memory.
 */
#include "me_rig.h"

#include "board.h"
#include "board_fw.h"

#define EMEM	0x9800000000ull		/* island 24, direct access */
#define RING	64

/* ---- what the callback gets ---- */

struct seen {
	struct me_cmd cmd;
	unsigned int n;
	int ret;
	bool clear_odd;
};

static int see(void *priv, struct me_cmd *cmd)
{
	struct seen *s = priv;

	s->n++;
	if (s->clear_odd)
		cmd->signals &= 0x5555;
	s->cmd = *cmd;
	return s->ret;
}

static const struct me_ops see_ops = { .command = see };

static struct seen *watch(struct rig *r)
{
	static struct seen seen;

	seen = (struct seen){ .n = 0 };
	r->me.ops = &see_ops;
	r->me.priv = &seen;
	r->mode = ME_CTX8;
	return &seen;
}

static enum me_status run_all(struct rig *r, const uint64_t *w, unsigned int n)
{
	rig_load(r, w, n);
	me_start_all(&r->me, r->img, 2, START);
	return me_run_all(&r->me, BUDGET);
}

static void fields(void **state)
{
	struct rig *r = *state;
	struct seen *s = watch(r);

	set_ab(r, 1, 0x12345678, 0x98);
	assert_int_equal(run_all(r, WORDS(cmd(CT(3, 1), PKT, 9, A(1), B(1), 5, NO_SWAP))), ME_DONE);
	assert_int_equal(s->cmd.target, ME_TARGET_CT);
	assert_int_equal(s->cmd.action, 3);
	assert_int_equal(s->cmd.token, 1);
	assert_int_equal(s->cmd.len, 5);
	assert_int_equal(s->cmd.xfer, 9);
	assert_int_equal(s->cmd.signals, 0);
	assert_int_equal(s->cmd.ctx, 1);
	assert_true(s->cmd.addr == 0x12345678 + 0x98);
	assert_false(s->cmd.indirect);
	/* both orders of an address of 40 bits; the shifted operand is the upper part */
	assert_int_equal(run_all(r, WORDS(cmd(MEM(28, 0), MU, 0, A(1), B(1), 0, NO_SWAP))),
			 ME_DONE);
	assert_true(s->cmd.addr == 0x12345678 + 0x9800);
	assert_int_equal(s->cmd.target, ME_TARGET_MU);
	assert_int_equal(s->cmd.action, 28);
	assert_int_equal(run_all(r, WORDS(cmd(MEM(28, 0), A_HIGH, 0, A(1), B(1), 0, NO_SWAP))),
			 ME_DONE);
	assert_true(s->cmd.addr == 0x1234567898);
	assert_int_equal(r->c->commands, 1);
}

/* indirect_ref takes fields from the previous result and from CmdIndirectRef0. */
static void overrides(void **state)
{
	struct rig *r = *state;
	struct seen *s = watch(r);
	uint64_t c = cmd_indir(MEM(28, 0), MU, 0, A(1), B(1), 7, NO_SWAP) | 3ull << 28;

	set_a(r, 2, 10 << 9 | 5 << 13 | 0xa5);
	set_a(r, 3, 0xbeef << 16 | 1 << 14 | 1 << 13 | 19 << 8 | 1 << 7 | 1 << 6 | 2 << 3);
	assert_int_equal(run_all(r, WORDS(csr_wr(CSR_REF0, A(2)), alu(NONE, NONE, B_, A(3)), c)),
			 ME_DONE);
	assert_int_equal(s->cmd.len, 19);
	assert_int_equal(s->cmd.bytes, 0xa5);
	assert_int_equal(s->cmd.signals, 1 << 10);
	assert_int_equal(s->cmd.sig_ctx, 5);
	assert_true(s->cmd.has_data);
	assert_int_equal(s->cmd.data, 0xbeef);
	assert_int_equal(r->me.ctx[5].signals, 1 << 10);
	/* a data reference; a byte mask; masters of another microengine */
	set_a(r, 3, 64 << 16 | 1 << 3);
	assert_int_equal(run_all(r, WORDS(alu(NONE, NONE, B_, A(3)), c)), ME_DONE);
	assert_true(s->cmd.has_ref);
	assert_int_equal(s->cmd.data, 64);
	assert_int_equal(s->cmd.len, 7);
	assert_int_equal(s->cmd.signals, 1 << 3);
	set_a(r, 3, 0x0f << 16 | 6 << 3 | 1);
	assert_int_equal(run_all(r, WORDS(alu(NONE, NONE, B_, A(3)), c)), ME_DONE);
	assert_int_equal(s->cmd.bytes, 0x0f);
	assert_true(s->cmd.masters);
	/* overrides that are not known, or of target, action and token */
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 3 << 3), c);
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 1 << 15), c);
}

/* A command that swaps lets others run. Its context goes on when the command is complete. */
static void swap_and_later(void **state)
{
	struct rig *r = *state;
	struct seen *s = watch(r);
	uint64_t w[] = { cmd(MEM(28, 0), MU, 3, A(1), B(1), 1, SWAP_DEFER2), immed(A(2), 1),
			 immed(A(3), 2),
			 alu(A(4), NONE, B_, X(3)), alu(A(5), NONE, B_, X(4)) };
	uint32_t *in;

	s->ret = ME_CMD_LATER;
	assert_int_equal(run_all(r, w, 5), ME_WAIT);
	assert_int_equal(s->n, 1);
	ASSERT_A(r, 2, 1, 2, 0xa0a0a004);
	assert_int_equal(r->c->swaps, 1);
	in = me_cmd_push(&s->cmd, 2);
	in[0] = 0x1111;
	in[1] = 0x2222;
	me_cmd_done(&s->cmd);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	ASSERT_A(r, 4, 0x1111, 0x2222);
	/* 5 words, the branch at the end, the hook */
	assert_int_equal(r->c->insns, 7);
	assert_int_equal(r->c->signals, 0);
}

/* Commands that pull and push end with two signals, an even one and the next. */
static void signal_pairs(void **state)
{
	struct rig *r = *state;
	struct seen *s = watch(r);

	assert_int_equal(run_all(r, WORDS(cmd_sig(MEM(7, 1), 0, A(1), B(1), 0, 6),
					  ctx_arb(3 << 6, false))), ME_DONE);
	assert_int_equal(s->cmd.signals, 3 << 6);
	assert_int_equal(run_all(r, WORDS(cmd_sig(MEM(7, 0), 0, A(1), B(1), 0, 6),
					  ctx_arb(3 << 6, false))), ME_WAIT);
	/* The unit may keep the second, which tells a failure. */
	s->clear_odd = true;
	assert_int_equal(run_all(r, WORDS(cmd_sig(MEM(21, 0), 0, A(1), B(1), 0, 6),
					  ctx_arb(1 << 6, false),
					  br_state(SIGNALLED, 7, START, 0))),
			 ME_DONE);
}

static void refused_commands(void **state)
{
	struct rig *r = *state;
	struct seen *s = watch(r);
	char text[256];

	s->ret = ME_FAULT_COMMAND;
	set_ab(r, 1, 0, 0);
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(17, 3), PKT, 20, A(1), B(1), 7, NO_SWAP));
	me_fault_print(&r->c->fault, text, sizeof(text));
	assert_string_equal(text,
			    "a command that the emulation does not have: address 3072, context 1: "
			    "mem[ctm.packet_add_thread, $xfer_20, gprA_1, gprB_1, 8] "
			    "(target 7, action 17, token 3)");
	r->me.ops = &rig_ops;
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(28, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	/* Eight contexts have 32 transfer registers each. */
	FAULTS(r, ME_FAULT_ENCODING, 0, cmd(MEM(28, 0), MU, 32, A(1), B(1), 0, NO_SWAP));
}

/* ---- the board's memory units ---- */

static struct me_board card;

static int card_setup(void **state)
{
	struct rig *r;

	rig_setup(state);
	r = *state;
	r->mode = ME_CTX8;
	card = (struct me_board){ .b = board_create(NULL, NULL) };
	assert_non_null(card.b);
	assert_int_equal(board_mem_map(card.b, EMEM + 0x40000000, r->mu, MEM_SIZE), 0);
	r->me.ops = &me_board_ops;
	r->me.priv = &card;
	for (unsigned int i = 0; i < MEM_SIZE; i++)
		r->mu[i] = i;
	/* The address is (B1 << 8) + A1. */
	set_ab(r, 1, 0, (EMEM + 0x40000000) >> 8);
	return 0;
}

static int card_teardown(void **state)
{
	board_destroy(card.b);
	return rig_teardown(state);
}

#define CARD_TEST(f)	cmocka_unit_test_setup_teardown(f, card_setup, card_teardown)

#define ALL(r, st, ...)	do { \
		enum me_status st_ = run_all((r), WORDS(__VA_ARGS__)); \
		if (st_ == ME_FAULT) { \
			char text_[256]; \
			me_fault_print(&(r)->c->fault, text_, sizeof(text_)); \
			print_message("# %s\n", text_); \
		} \
		assert_int_equal(st_, (st)); \
	} while (0)
/* A command to byte @off that swaps on signal 1 */
#define TO(action, token, xfer, off, len) \
	immed(A(1), off), cmd(MEM(action, token), MU, xfer, A(1), B(1), len, SWAP)
/* The same, with signals 2 and 3 */
#define PAIR_TO(action, token, xfer, off, len) \
	immed(A(1), off), cmd_sig(MEM(action, token), xfer, A(1), B(1), len, 2), ctx_arb(0xc, false)
/* indirect_ref with 16 bits of data */
#define IMM_TO(action, token, off, v, wide, sig) \
	immed(A(1), off), immed(A(2), 2 << 3 | 1 << 7 | (8 | (wide)) << 8), immed_w1(A(2), v), \
	alu(NONE, NONE, B_, A(2)), \
	cmd_indir(MEM(action, token), MU, 0, A(1), B(1), 0, NO_SWAP) | (uint64_t)(sig) << 28

static void reads_and_writes(void **state)
{
	struct rig *r = *state;

	ALL(r, ME_DONE, TO(28, 0, 0, 1, 1), TO(28, 2, 2, 1, 1), TO(0, 0, 4, 8, 1), TO(3, 1, 8, 5,
										      4));
	ASSERT_IN(r, 0, 0x01020304, 0x05060708, 0x04030201, 0x08070605, 0x08090a0b, 0x0c0d0e0f,
		  0x10111213, 0x14151617, 0x05060708, 0x09000000, 0x1111110a);
	ALL(r, ME_DONE, TO(31, 0, 1, 0x100, 0), TO(31, 2, 2, 0x104, 0), TO(1, 0, 4, 0x108, 0),
	    TO(2, 0, 1, 0x111, 2), TO(2, 2, 1, 0x115, 1));
	assert_memory_equal(r->mu + 0x100,
			    "\x0f\x0f\x0f\x01\x02\x0f\x0f\x0f\x0f\x0f\x0f\x04\x0f\x0f\x0f\x05"
			    "\x10\x0f\x0f\x0f\x14\x01\x0f\x17", 24);
	/* 32 words, by an override of the length */
	ALL(r, ME_DONE, immed(A(1), 0x40), immed(NONE, 0x80 | 31 << 8),
	    cmd_indir(MEM(28, 0), MU, 0, A(1), B(1), 7, SWAP));
	assert_int_equal(XIN(r, 31), 0xbcbdbebf);
}

static void atomics(void **state)
{
	struct rig *r = *state;

	memset(r->mu, 0, 64);
	r->mu[3] = 5;
	r->mu[7] = 0xf0;
	/* add 3 to the first word, 4 to the second; the old values come back */
	ALL(r, ME_DONE, immed(X(0), 3), immed(X(1), 4), PAIR_TO(7, 1, 0, 0, 1));
	ASSERT_IN(r, 0, 5, 0xf0);
	assert_memory_equal(r->mu, "\0\0\0\x08\0\0\0\xf4", 8);
	ALL(r, ME_DONE, immed(X(0), 9), TO(9, 0, 0, 0, 0), TO(5, 0, 0, 4, 0), TO(3, 0, 2, 0, 1));
	ASSERT_IN(r, 2, UINT32_MAX, 0xfd);
	ALL(r, ME_DONE, immed(X(0), 0xf), PAIR_TO(6, 1, 0, 4, 0), TO(3, 0, 2, 4, 0), immed(X(4),
											   0x77),
	    PAIR_TO(4, 1, 4, 4, 0), TO(3, 0, 3, 4, 0));
	ASSERT_IN(r, 0, 0xfd);
	ASSERT_IN(r, 2, 0xf0, 0x77, 0xf0);
	/* saturate at both ends */
	ALL(r, ME_DONE, immed(X(0), 2), TO(8, 0, 0, 0, 0), TO(3, 0, 2, 0, 0), immed(X(0), 0x78),
	    TO(10, 0, 0, 4, 0), TO(3, 0, 3, 4, 0));
	ASSERT_IN(r, 2, UINT32_MAX, 0);
	/* 64 bits, low word first: add 1 to 0x1_ffffffff */
	memcpy(r->mu + 8, "\xff\xff\xff\xff\0\0\0\x01", 8);
	ALL(r, ME_DONE, immed(X(0), 1), immed(X(1), 0), PAIR_TO(7, 1, 0, 8, 4));
	ASSERT_IN(r, 0, UINT32_MAX, 1);
	assert_memory_equal(r->mu + 8, "\0\0\0\0\0\0\0\x02", 8);
}

static void immediates(void **state)
{
	struct rig *r = *state;

	memset(r->mu, 0, 64);
	ALL(r, ME_DONE, IMM_TO(7, 2, 0, 0xfffe, 0, 0), IMM_TO(5, 2, 4, 0x8001, 0, 0),
	    IMM_TO(9, 2, 8, 1, 4, 0), IMM_TO(7, 3, 0, 3, 0, 5), ctx_arb(1 << 5, false));
	assert_memory_equal(r->mu, "\0\x01\0\x01\0\0\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff", 16);
	ASSERT_IN(r, 0, 0xfffe);
	/* What an immediate without indirect_ref is, is not known. */
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(7, 2), MU, 0, A(1), B(1), 0, NO_SWAP));
}

/* Words whose bytes of the mask are equal are replaced. */
static void compares(void **state)
{
	struct rig *r = *state;
	uint64_t cw = cmd_indir(MEM(3, 3), MU, 0, A(1), B(1), 0, NO_SWAP) | 2ull << 28;

	memcpy(r->mu, "\1\2\3\4\1\2\3\5", 8);
	ALL(r, ME_DONE, immed(X(0), 0x0304), immed(X(1), 0x0304), immed(A(1), 0),
	    immed(A(2), 6 << 3 | 1 << 7 | (8 | 1) << 8), immed_w1(A(2), 1), alu(NONE, NONE, B_,
										A(2)),
	    cw, ctx_arb(0xc, false));
	ASSERT_IN(r, 0, 0x01020304, 0x01020305);
	assert_memory_equal(r->mu, "\0\0\3\4\1\2\3\5", 8);
}

static void mu_faults(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, MEM_SIZE - 3);
	FAULTS(r, ME_FAULT_MEMORY, 0, cmd(MEM(28, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	set_a(r, 1, 2);
	FAULTS(r, ME_FAULT_ALIGN, 0, cmd(MEM(7, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	set_a(r, 1, 4);
	FAULTS(r, ME_FAULT_ALIGN, 0, cmd(MEM(7, 0), MU, 0, A(1), B(1), 4, NO_SWAP));
	FAULTS(r, ME_FAULT_XFER, 0, cmd(MEM(28, 0), MU, 31, A(1), B(1), 1, NO_SWAP));
	FAULTS(r, ME_FAULT_XFER, 0, cmd(MEM(0, 0), MU, 30, A(1), B(1), 1, NO_SWAP));
	FAULTS(r, ME_FAULT_INDIRECT, 1, immed(NONE, 1),
	       cmd_indir(MEM(28, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	/* byte orders that are not known, and units that the board does not have */
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(0, 2), MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(28, 1), MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(12, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(11, 0), MU, 0, A(1), B(1), 0, NO_SWAP));
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(CT(0, 0), PKT, 0, A(1), B(1), 0, NO_SWAP));
}

/* ---- rings ---- */

/* Write the descriptor of a ring of 512 words at the start of memory, and load it. */
#define RING_SETUP	immed(A(1), 0x800), alu(A(2), A(1), OR_, I(2)), immed(A(5), 0x4000), \
			shf(A(5), A(5), SHL, 16), alu(B(5), A(5), B_, A(2)), \
			alu(X(1), A(5), OR_, B(5)), immed(X(0), 0), immed(X(2), 0), immed(X(3), \
											  0), \
			cmd(MEM(1, 0), MU, 0, A(1), B(1), 1, SWAP), immed(A(3), 1 << 3), \
			immed_w1(A(3), RING), alu(NONE, NONE, B_, A(3)), \
			cmd_indir(MEM(16, 0), MU, 0, A(1), B(1), 0, NO_SWAP)

static void ring(void **state)
{
	struct rig *r = *state;

	ALL(r, ME_DONE, RING_SETUP, immed(X(4), 11), immed(X(5), 22), PAIR_TO(20, 0, 4, RING, 1),
	    alu(A(6), NONE, B_, X(4)), PAIR_TO(20, 0, 5, RING, 0), alu(A(7), NONE, B_, X(5)));
	ASSERT_A(r, 6, 1u << 31, 1u << 31 | 2);
	assert_int_equal(board_ring_used(card.b, RING), 3);
	/* get: the second signal only if there are too few words */
	ALL(r, ME_DONE, immed(A(1), RING), cmd_sig(MEM(21, 0), 8, A(1), B(1), 1, 2), ctx_arb(4,
											     false),
	    immed(A(9), 0), br_state(NOT_SIGNALLED, 3, START + 6, 0), immed(A(9), 1),
	    cmd_sig(MEM(21, 0), 10, A(1), B(1), 1, 2), ctx_arb(0xc, false));
	ASSERT_IN(r, 8, 11, 22, 0x1111110a);
	assert_int_equal(RA(r, 9), 0);
	/* get_freely: 0 for words that are missing */
	ALL(r, ME_DONE, TO(21, 2, 8, RING, 1));
	ASSERT_IN(r, 8, 22, 0);
	/* A full ring takes nothing, and tells its words. A ring that is not there answers 0. */
	for (unsigned int i = 0; i < 512; i++)
		assert_int_equal(board_ring_put(card.b, RING, &i, 1), 0);
	ALL(r, ME_DONE, PAIR_TO(20, 0, 4, RING, 1), alu(A(6), NONE, B_, X(4)),
	    PAIR_TO(20, 0, 4, RING + 1, 1), alu(A(7), NONE, B_, X(4)));
	ASSERT_A(r, 6, 512, 0);
}

/* A thread waits for work; the work of another context wakes it. */
static void work_queue(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0, 0);
	r->me.ctx[1].reg[ME_R_B + 1] = (EMEM + 0x40000000) >> 8;
	r->me.ctx[2].reg[ME_R_B + 1] = EMEM >> 8;
	r->me.ctx[3].reg[ME_R_B + 1] = EMEM >> 8;
	r->me.ctx[3].reg[ME_R_OUT + 7] = 0x777;
	ALL(r, ME_DONE, RING_SETUP);
	rig_load(r, WORDS(br_state(IS_CTX, 3, START + 4, 0), TO(19, 1, 5, RING, 0),
			  br(ALWAYS, START + 6, 0), TO(19, 2, 7, RING, 0), NOP));
	me_start_all(&r->me, r->img, 4, START);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_WAIT);
	me_start(&r->me, 3, r->img, START);
	r->me.ctx_enables |= 8 << 8;
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	assert_int_equal(r->me.ctx[2].reg[ME_R_IN + 5], 0x777);
	assert_int_equal(board_ring_used(card.b, RING), 0);
	/* The same words in CTM are packet commands. */
	set_b(r, 1, 0xa0000000);
	FAULTS(r, ME_FAULT_COMMAND, 0, cmd(MEM(19, 2), MU, 0, A(1), B(1), 0, NO_SWAP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(fields),
		RIG_TEST(overrides),
		RIG_TEST(swap_and_later),
		RIG_TEST(signal_pairs),
		RIG_TEST(refused_commands),
		CARD_TEST(reads_and_writes),
		CARD_TEST(atomics),
		CARD_TEST(immediates),
		CARD_TEST(compares),
		CARD_TEST(mu_faults),
		CARD_TEST(ring),
		CARD_TEST(work_queue),
	};

	return cmocka_run_group_tests_name("me_bus", tests, NULL, NULL);
}
