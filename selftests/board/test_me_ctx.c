// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_ctx.c - whole microengines: contexts by turns, signals, local CSRs.
 */
#include "me_rig.h"

#define LOG(i)	(0x40 + (i))	/* words of local memory to which contexts write their numbers */

/*
 * Append the context's number to the log. Absolute GPR 0 of bank A (context 0, register 0) has the
 * position in bytes.
 */
#define LOG_CTX	csr_rd(CSR_STATUS), immed(A(1), 0), csr_wr(CSR_LM(0), ABS_A(0)), \
		alu(A(1), A(1), AND_, I(7)), alu(ABS_A(0), I(4), ADD, ABS_A(0)), NOP, \
		alu(LM(0, 0), NONE, B_, A(1))
#define LOG_LEN	7

static int all_setup(void **state)
{
	struct rig *r;

	rig_setup(state);
	r = *state;
	r->mode = ME_CTX8;
	memset(r->me.ctx[0].reg, 0, ME_R_IN * 4);
	set_a(r, 0, 0);
	r->me.ctx[0].reg[ME_R_A] = 4 * LOG(0);
	memset(r->me.lm, 0xff, sizeof(r->me.lm));
	return 0;
}

#define ALL_TEST(f)	cmocka_unit_test_setup_teardown(f, all_setup, rig_teardown)

static enum me_status start_all(struct rig *r, unsigned int ctxs, const uint64_t *w, unsigned int n)
{
	rig_load(r, w, n);
	me_start_all(&r->me, r->img, ctxs, START);
	return me_run_all(&r->me, BUDGET);
}

#define RUN_ALL(r, ctxs, st, ...) do { \
		enum me_status st_ = start_all((r), (ctxs), WORDS(__VA_ARGS__)); \
		if (st_ == ME_FAULT) { \
			char text_[256]; \
			me_fault_print(&(r)->me.ctx[(r)->me.current].fault, text_, sizeof(text_)); \
			print_message("# %s\n", text_); \
		} \
		assert_int_equal(st_, (st)); \
	} while (0)

#define ASSERT_LOG(r, ...) ASSERT_LM(r, LOG(0), __VA_ARGS__, 0xffffffff)

/* ---- turns ---- */

static void by_turns(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 0xff, ME_DONE, LOG_CTX, ctx_arb(VOLUNTARY, false), LOG_CTX);
	ASSERT_LOG(r, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
	assert_int_equal(r->me.ctx[3].swaps, 1);
	/* 15 words of the program, the branch and the hook at its end */
	assert_int_equal(r->me.ctx[3].insns, 2 * LOG_LEN + 3);
}

static void only_enabled(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 0x92, ME_DONE, LOG_CTX, ctx_arb(VOLUNTARY, false), LOG_CTX);
	ASSERT_LOG(r, 1, 4, 7, 1, 4, 7);
}

static void four_contexts(void **state)
{
	struct rig *r = *state;

	r->mode = ME_CTX4;
	RUN_ALL(r, 0xff, ME_DONE, LOG_CTX, csr_wr(CSR_SIGNAL, I(0x80 | 3 << 3)), ctx_arb(1 << 3,
											 false),
		LOG_CTX);
	ASSERT_LOG(r, 0, 2, 4, 6, 0, 2, 4, 6);
	assert_int_equal(r->me.ctx_enables, 0x80005500);
}

/* A context keeps the microengine until it swaps, also if the budget ends before. */
static void no_preemption(void **state)
{
	struct rig *r = *state;
	uint64_t w[] = { alu(A(2), A(2), SUB, I(1)), br(NE, START, 0), LOG_CTX };
	unsigned int n = 0;

	/* Context 1 would be ready long before context 0 if they took turns. */
	me_gpr_set(&r->me.ctx[0], 2, 50);
	set_a(r, 2, 1);
	rig_load(r, w, sizeof(w) / 8);
	me_start_all(&r->me, r->img, 3, START);
	while (me_run_all(&r->me, 10) == ME_BUDGET)
		n++;
	assert_in_range(n, 10, 30);
	ASSERT_LOG(r, 0, 1);
}

static void arb_forms(void **state)
{
	struct rig *r = *state;
	enum { T = START + 4 + LOG_LEN };

	/* Slots run before the swap: both contexts log before the target. */
	RUN_ALL(r, 3, ME_DONE, arb_defer(arb_br(ctx_arb(VOLUNTARY, false), T), 2), immed(A(2), 7),
		immed(A(3), 8), ARB_BPT, LOG_CTX, LOG_CTX);
	ASSERT_LOG(r, 0, 1);
	assert_int_equal(me_gpr(&r->me.ctx[1], ME_R_A, 3), 8);
	r->me.ctx[0].reg[ME_R_A] = 4 * LOG(0);
	/* without slots, and a target at which a hook ends the context */
	RUN_ALL(r, 3, ME_DONE, LOG_CTX, arb_br(ctx_arb(VOLUNTARY, false), DONE), ARB_BPT);
	ASSERT_LOG(r, 0, 1);
	assert_int_equal(me_pc(&r->me.ctx[1]), DONE);
	/* The signals of ctx_arb[--] are those of the CSR, which a slot may still write. */
	set_a(r, 4, 0);
	RUN_ALL(r, 2, ME_WAIT, arb_defer(ARB_CSR, 1), csr_wr(CSR_WAKEUP, I(0x30)));
	assert_int_equal(r->c->wait, 0x30);
	assert_false(r->c->wait_any);
	me_signal(r->c, 4);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_WAIT);
	me_signal(r->c, 5);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
}

static void killed(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 7, ME_DONE, br_state(NOT_CTX, 1, START + 2, 0), ARB_KILL, LOG_CTX,
		ctx_arb(VOLUNTARY, false), LOG_CTX);
	ASSERT_LOG(r, 0, 2, 0, 2);
	me_signal(r->c, 1);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
}

static void breakpoint(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 3, ME_FAULT, br_state(IS_CTX, 0, START + 2, 0), ARB_BPT, LOG_CTX,
		ctx_arb(VOLUNTARY, false));
	assert_int_equal(r->me.current, 1);
	assert_int_equal(r->c->fault.reason, ME_FAULT_BPT);
	assert_int_equal(r->c->fault.pc, START + 1);
	ASSERT_LOG(r, 0);
	/* Context 0 does not go on either. */
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_FAULT);
	assert_int_equal(r->me.current, 1);
}

static void arb_in_slot(void **state)
{
	struct rig *r = *state;

	FAULTS(r, ME_FAULT_SLOT, 1, arb_defer(ctx_arb(VOLUNTARY, false), 1), br(ALWAYS, START, 0));
	FAULTS(r, ME_FAULT_SLOT, 1, arb_defer(ctx_arb(VOLUNTARY, false), 1), ctx_arb(2, false));
	FAULTS(r, ME_FAULT_SLOT, 1, br(ALWAYS, START, 1), arb_br(ctx_arb(2, false), START));
}

/* ---- signals ---- */

/* A token goes round: each context waits for signal 2, and signals the next one. */
static void token_ring(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 0xff, ME_WAIT, ctx_arb(1 << 2, false), LOG_CTX,
		csr_wr(CSR_SIGNAL, I(0x80 | 2 << 3)), ctx_arb(1 << 3, false));
	me_signal(&r->me.ctx[5], 2);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_WAIT);
	ASSERT_LOG(r, 5, 6, 7, 0, 1, 2, 3, 4);
}

static void signal_a_context(void **state)
{
	struct rig *r = *state;

	/* Context 0 sends signal 9 to context 3. A wait for any signal leaves it: br_signal takes it. */
	RUN_ALL(r, 9, ME_DONE, br_state(NOT_CTX, 0, START + 3, 0), csr_wr(CSR_SIGNAL,
									  I(9 << 3 | 3)),
		br(ALWAYS, START + 4, 0), ctx_arb(1 << 9 | 1 << 10, true), LOG_CTX);
	ASSERT_LOG(r, 0, 3);
	assert_int_equal(r->me.ctx[3].signals, 1 << 9);
}

/* A context that got its signal early does not go on before the others had their turn. */
static void turn_after_signal(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 3, ME_DONE, csr_rd(CSR_STATUS), immed(A(1), 0), alu(A(1), A(1), AND_, I(7)),
		alu(A(1), A(1), OR_, I(0x20)), csr_wr(CSR_SIGNAL, A(1)), ctx_arb(1 << 4, false),
		LOG_CTX,
		LOG_CTX);
	ASSERT_LOG(r, 0, 0, 1, 1);
	assert_int_equal(r->me.ctx[0].swaps, 1);
}

/* ---- local CSRs ---- */

static void status(void **state)
{
	struct rig *r = *state;

	r->me.island = 36;
	r->me.number = 9;
	RUN_ALL(r, 2, ME_DONE, csr_rd(CSR_STATUS), immed(A(2), 0), csr_rd(CSR_ENABLES),
		immed(A(3), 0));
	ASSERT_A(r, 2, 1u << 31 | 36 << 25 | START << 8 | 13 << 3 | 1, 0x200);
}

static void csr_values(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0x12345678);
	RUN_ALL(r, 2, ME_DONE, csr_wr(CSR_MAILBOX, A(1)), csr_wr(CSR_MAILBOX + 12, I(3)),
		csr_rd(CSR_MAILBOX), immed(A(2), 0), csr_rd(CSR_MAILBOX + 12), immed(A(3), 0),
		csr_wr(CSR_REF0, A(1)), csr_rd(CSR_REF0), immed(A(4), 0),
		csr_wr(CSR_LM(2), A(1)), csr_rd(CSR_LM(2)), immed(A(5), 0),
		csr_wr(CSR_INDEX_BYTE, A(1)), csr_rd(CSR_INDEX), immed(A(6), 0),
		csr_wr(CSR_BYTE_INDEX, I(7)), csr_rd(CSR_INDEX_BYTE), immed(A(7), 0));
	ASSERT_A(r, 2, 0x12345678, 3, 0x12345678, 0x678, 0x278, 0x27b);
	assert_int_equal(r->me.mailbox[0], 0x12345678);
	assert_int_equal(r->me.mailbox[3], 3);
}

/* The time stamp counts 16 cycles, those of all contexts and those in which none runs. */
static void time_stamp(void **state)
{
	struct rig *r = *state;
	uint64_t pause[] = { csr_rd(CSR_TIME_LOW), immed(A(2), 0), ctx_arb(1 << 1, false),
			     csr_rd(CSR_TIME_LOW), immed(A(3), 0), csr_rd(CSR_TIME_HIGH),
			     immed(A(4), 0), csr_wr(CSR_TIME_HIGH, I(5)), csr_wr(CSR_TIME_LOW,
										 I(100)),
			     csr_rd(CSR_TIME_LOW), immed(A(5), 0), csr_rd(CSR_TIME_HIGH),
			     immed(A(6), 0) };

	assert_int_equal(start_all(r, 2, pause, sizeof(pause) / 8), ME_WAIT);
	me_idle(&r->me, 16000);
	me_signal(r->c, 1);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	assert_in_range(RA(r, 3) - RA(r, 2), 1000, 1002);
	assert_int_equal(RA(r, 4), 0);
	assert_in_range(RA(r, 5), 100, 101);
	assert_int_equal(RA(r, 6), 5);
}

/* An alarm sends a signal when the time stamp has a value: set_alarm() of flowenv. */
static void alarm_signal(void **state)
{
	struct rig *r = *state;

	RUN_ALL(r, 2, ME_WAIT, csr_rd(CSR_TIME_LOW), immed(A(2), 0), alu(A(2), A(2), ADD, I(20)),
		csr_wr(CSR_ALARM, A(2)), csr_wr(CSR_ALARM_SIGNAL, I(6)), ctx_arb(1 << 6, false),
		LOG_CTX);
	assert_in_range(me_next_alarm(&r->me), 290, 320);
	me_idle(&r->me, me_next_alarm(&r->me) - 1);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_WAIT);
	me_idle(&r->me, 1);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	ASSERT_LOG(r, 1);
	assert_true(me_next_alarm(&r->me) == UINT64_MAX);
}

/* A context may start others by CtxEnables, and stop itself. */
static void enables(void **state)
{
	struct rig *r = *state;

	set_a(r, 2, 0x0600);
	rig_load(r, WORDS(csr_wr(CSR_ENABLES, A(2)), LOG_CTX, ctx_arb(VOLUNTARY, false), LOG_CTX));
	me_start_all(&r->me, r->img, 6, START);
	r->me.ctx_enables = 0x200;
	me_gpr_set(&r->me.ctx[2], 2, 0x0400);
	assert_int_equal(me_run_all(&r->me, BUDGET), ME_DONE);
	ASSERT_LOG(r, 1, 2, 2);
}

/* CSRs that the core does not have are faults that name them. */
static void csr_unknown(void **state)
{
	struct rig *r = *state;
	char text[256];

	FAULTS(r, ME_FAULT_CSR, 1, NOP, csr_wr(0x84, A(1)));
	me_fault_print(&r->c->fault, text, sizeof(text));
	assert_string_equal(text,
			    "a local CSR that the emulation does not have: address 3073, context 1: "
			    "local_csr_wr[NNGet, gprA_1]");
	FAULTS(r, ME_FAULT_CSR, 0, csr_rd(0x140), immed(A(1), 0));
	FAULTS(r, ME_FAULT_CSR, 0, csr_wr(0x200, A(1)));
	/* LM pointers that contexts share */
	set_a(r, 1, 1 << 16 | 0xff00);
	FAULTS(r, ME_FAULT_CSR, 0, csr_wr(CSR_ENABLES, A(1)));
	/* CSRs that are written only, and read only */
	FAULTS(r, ME_FAULT_CSR, 0, csr_rd(CSR_SIGNAL), immed(A(1), 0));
	FAULTS(r, ME_FAULT_CSR, 0, csr_wr(CSR_STATUS, A(1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ALL_TEST(by_turns),
		ALL_TEST(only_enabled),
		ALL_TEST(four_contexts),
		ALL_TEST(no_preemption),
		ALL_TEST(arb_forms),
		ALL_TEST(killed),
		ALL_TEST(breakpoint),
		ALL_TEST(arb_in_slot),
		ALL_TEST(token_ring),
		ALL_TEST(signal_a_context),
		ALL_TEST(turn_after_signal),
		ALL_TEST(status),
		ALL_TEST(csr_values),
		ALL_TEST(time_stamp),
		ALL_TEST(alarm_signal),
		ALL_TEST(enables),
		ALL_TEST(csr_unknown),
	};

	return cmocka_run_group_tests_name("me_ctx", tests, NULL, NULL);
}
