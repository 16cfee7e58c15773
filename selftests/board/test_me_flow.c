// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_me_flow.c - microengine: branches and their slots, firmware functions,
 * contexts, images.
 */
#include "fw_code.h"
#include "me_rig.h"

#define HELPER		9000

/* Set byte @n of A9 to 1, to show that this word was executed. */
#define MARK(n)	ld_field(A(9), 1 << (n), I(1), ROT, (32 - 8 * (n)) % 32)

static uint32_t marks(struct rig *r)
{
	uint32_t v = RA(r, 9);

	return (v & 1) | (v >> 7 & 2) | (v >> 14 & 4) | (v >> 21 & 8);
}

static void run_marks(struct rig *r, const uint64_t *w, unsigned int n, unsigned int want)
{
	set_a(r, 9, 0);
	assert_int_equal(rig_run(r, w, n), ME_DONE);
	assert_int_equal(marks(r), want);
}

/* ---- branches ---- */

static void branch_without_slots(void **state)
{
	struct rig *r = *state;

	run_marks(r, WORDS(br(ALWAYS, START + 2, 0), MARK(0), MARK(1)), 2);
	/* The branch is not taken. */
	run_marks(r, WORDS(alu(NONE, I(1), OR_, A(9)), br(EQ, START + 3, 0), MARK(0), MARK(1)), 3);
}

/* The slots run before the target, whether the branch is taken or not. */
static void branch_with_slots(void **state)
{
	struct rig *r = *state;

	for (unsigned int slots = 1; slots <= 2; slots++)
		run_marks(r, WORDS(br(ALWAYS, START + 4, slots), MARK(0), MARK(1),
				   MARK(2), MARK(3)), slots == 1 ? 9 : 11);
	for (unsigned int slots = 1; slots <= 3; slots++) {
		set_b(r, 1, 1);
		run_marks(r, WORDS(alu(NONE, I(1), SUB, B(1)), br(EQ, START + 5, slots),
				   MARK(0), MARK(1), MARK(2),
				   MARK(3)), (const unsigned int []){ 9, 11, 15 }[slots - 1]);
		run_marks(r, WORDS(alu(NONE, I(1), SUB, B(1)), br(NE, START + 5, slots),
				   MARK(0), MARK(1), MARK(2),
				   MARK(3)), 15);
	}
}

/* Flags that a slot sets do not influence its branch, only later branches. */
static void slots_do_not_decide(void **state)
{
	struct rig *r = *state;

	set_b(r, 1, 1);
	run_marks(r, WORDS(alu(NONE, I(1), SUB, B(1)), br(EQ, START + 4, 1),
			   alu(NONE, I(2), SUB, B(1)), MARK(0), br(NE, START + 6, 0),
			   MARK(1), MARK(2)), 4);
}

/* Another branch may jump to a slot, which is an ordinary instruction then. */
static void slot_as_target(void **state)
{
	struct rig *r = *state;

	run_marks(r, WORDS(br(ALWAYS, START + 2, 0), br(ALWAYS, START + 4, 1), MARK(0),
			   MARK(1)), 3);
}

static void branch_by_bit(void **state)
{
	struct rig *r = *state;

	for (unsigned int bit = 0; bit < 32; bit += 31) {
		set_ab(r, 1, 1u << bit, ~(1u << bit));
		run_marks(r, WORDS(br_bit(A(1), bit, true, START + 2, 0), MARK(0), NOP), 0);
		run_marks(r, WORDS(br_bit(B(1), bit, true, START + 2, 0), MARK(0), NOP), 1);
		run_marks(r, WORDS(br_bit(A(1), bit, false, START + 2, 0), MARK(0), NOP), 1);
		run_marks(r, WORDS(br_bit(B(1), bit, false, START + 3, 1), MARK(0),
				   MARK(1), NOP), 1);
	}
}

static void branch_by_byte(void **state)
{
	struct rig *r = *state;

	set_ab(r, 1, 0x112233ee, 0x112233ee);
	run_marks(r, WORDS(br_byte(A(1), 0, 0xee, true, START + 2, 0), MARK(0), NOP), 0);
	run_marks(r, WORDS(br_byte(A(1), 1, 0xee, true, START + 2, 0), MARK(0), NOP), 1);
	run_marks(r, WORDS(br_byte(B(1), 3, 0x11, true, START + 2, 0), MARK(0), NOP), 0);
	run_marks(r, WORDS(br_byte(B(1), 2, 0x22, false, START + 2, 0), MARK(0), NOP), 1);
	run_marks(r, WORDS(br_byte(A(1), 2, 0x23, false, START + 3, 1), MARK(0), MARK(1), NOP), 1);
}

static void return_by_register(void **state)
{
	struct rig *r = *state;

	run_marks(r, WORDS(immed(B(21), START + 3), rtn(B(21), 0), MARK(0), NOP), 0);
	/* the register is read before the slots */
	run_marks(r, WORDS(immed(A(21), START + 6), rtn(A(21), 3), immed(A(21), 0),
			   MARK(0), MARK(1), MARK(2), NOP), 3);
	/* Return to a hooked address outside of the image. */
	run_marks(r, WORDS(immed(A(21), DONE), rtn(A(21), 0), MARK(0)), 0);
	run_marks(r, WORDS(immed(A(21), DONE), rtn(A(21), 1), MARK(0), MARK(1)), 1);
}

/* jump adds a constant to the register; the register is read before the slots. */
static void jump_by_table(void **state)
{
	struct rig *r = *state;

	for (unsigned int i = 0; i < 3; i++) {
		set_ab(r, 1, i, i);
		run_marks(r, WORDS(jump(A(1), START + 1, 0), MARK(0), MARK(1), MARK(2)),
			  7 & ~((1 << i) - 1));
		run_marks(r, WORDS(jump(B(1), START + 3, 2), immed(B(1), 0), MARK(3), MARK(0),
				   MARK(1), MARK(2)), 8 | (7 & ~((1 << i) - 1)));
	}
}

static void branch_by_context(void **state)
{
	struct rig *r = *state;

	run_marks(r, WORDS(br_state(IS_CTX, 1, START + 2, 0), MARK(0), MARK(1)), 2);
	run_marks(r, WORDS(br_state(IS_CTX, 2, START + 2, 0), MARK(0), MARK(1)), 3);
	run_marks(r, WORDS(br_state(NOT_CTX, 2, START + 3, 1), MARK(0), MARK(1), MARK(2)), 5);
	run_marks(r, WORDS(br_state(NOT_CTX, 1, START + 2, 0), MARK(0), MARK(1)), 3);
}

/* A signal that a branch finds is gone: the second branch does not find it. */
static void branch_by_signal(void **state)
{
	struct rig *r = *state;
	uint64_t sig = cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, NO_SWAP) | 5ull << 28;

	set_a(r, 1, 0);
	run_marks(r, WORDS(sig, br_state(SIGNALLED, 5, START + 3, 0), MARK(0), MARK(1),
			   br_state(SIGNALLED, 5, START + 6, 0), MARK(2), MARK(3)), 14);
	run_marks(r, WORDS(sig, br_state(NOT_SIGNALLED, 5, START + 3, 0), MARK(0), MARK(1),
			   br_state(NOT_SIGNALLED, 5, START + 6, 0), MARK(2), MARK(3)), 11);
	run_marks(r, WORDS(sig, br_state(SIGNALLED, 5, START + 5, 3), MARK(0), MARK(1), MARK(2),
			   MARK(3)), 15);
}

static void slots_that_are_none(void **state)
{
	struct rig *r = *state;

	FAULTS(r, ME_FAULT_SLOT, 1, br(ALWAYS, START + 3, 1), br(ALWAYS, START, 0), NOP);
	FAULTS(r, ME_FAULT_SLOT, 2, immed(A(1), START), rtn(A(1), 1), rtn(A(1), 0));
	FAULTS(r, ME_FAULT_SLOT, 1, br(ALWAYS, START + 3, 1), ctx_arb(2, false), NOP);
	FAULTS(r, ME_FAULT_SLOT, 1, br(ALWAYS, START + 3, 1),
	       cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, SWAP), NOP);
	FAULTS(r, ME_FAULT_SLOT, 1, cmd(CADD, MU, 0, A(1), B(1), 0, SWAP_DEFER1),
	       br(ALWAYS, START, 0));
	FAULTS(r, ME_FAULT_SLOT, 1, br(ALWAYS, START + 3, 2), csr_rd(CSR_RANDOM), immed(A(1), 0));
}

/* A command that does not swap is allowed in a slot. */
static void command_in_slot(void **state)
{
	struct rig *r = *state;

	set_a(r, 1, 0);
	r->pkt[0] = 0x5a;
	RUN(r, br(ALWAYS, START + 2, 1), cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, NO_SWAP));
	assert_int_equal(XIN(r, 0), 0x5a);
}

/* ---- where code ends ---- */

static void no_code(struct rig *r, unsigned int pc)
{
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_FAULT);
	assert_int_equal(r->c->fault.reason, ME_FAULT_NO_CODE);
	assert_int_equal(r->c->fault.pc, pc);
	assert_int_equal(r->c->fault.insn, 0);
	assert_int_equal(me_pc(r->c), pc);
}

static void outside_of_code(void **state)
{
	struct rig *r = *state;
	const uint64_t w[] = { fw_ecc(NOP), fw_ecc(br(ALWAYS, 5000, 1)), fw_ecc(NOP) };
	const uint64_t last[] = { fw_ecc(NOP), fw_ecc(br(ALWAYS, START, 1)) };

	r->img = me_image_new(START, w, 3, NULL);
	me_start(&r->me, 1, r->img, START);
	no_code(r, 5000);
	/* The program runs past its end, also in a slot; the start is outside of the code. */
	me_start(&r->me, 1, r->img, START + 2);
	no_code(r, START + 3);
	me_start(&r->me, 1, r->img, START + 77);
	no_code(r, START + 77);
	me_image_put(r->img);
	r->img = me_image_new(START, last, 2, NULL);
	me_start(&r->me, 1, r->img, START);
	no_code(r, START + 2);
	me_image_put(r->img);
	r->img = me_image_new(START, (const uint64_t []){ fw_ecc(rtn(A(1), 0)) }, 1, NULL);
	set_a(r, 1, 20000);
	me_start(&r->me, 1, r->img, START);
	no_code(r, 20000);
}

static void image_at_both_ends(void **state)
{
	struct rig *r = *state;
	uint64_t w[2] = { fw_ecc(br(ALWAYS, ME_USTORE - 1, 0)), fw_ecc(br(ALWAYS, 0, 0)) };

	r->img = me_image_new(ME_USTORE - 2, w, 2, NULL);
	assert_int_equal(me_hook(&r->me, 0, NULL, NULL), 0);
	me_start(&r->me, 1, r->img, ME_USTORE - 2);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	assert_int_equal(r->c->insns, 3);
}

/* ---- firmware functions ---- */

struct calls {
	unsigned int n;
	unsigned int again;	/* how often to return ME_HOOK_AGAIN */
	uint32_t a0, key;
};

static enum me_hook_ret helper(struct me *me, struct me_ctx *c, void *priv)
{
	struct calls *k = priv;

	k->n++;
	if (k->again) {
		k->again--;
		return ME_HOOK_AGAIN;
	}
	k->a0 = me_gpr(c, ME_R_A, 0);
	k->key = me->lm[c->lm_addr[0] / 4];
	me_gpr_set(c, 0, 0x12340000);	/* the result overwrites B0, the return address */
	me_gpr_set(c, 1, 0);
	return ME_HOOK_RETURN;
}

/* Call a function as map_call_stack_common() of jit.c does. */
static void function_call(void **state)
{
	struct rig *r = *state;
	struct calls k = { 0 };

	assert_int_equal(me_hook(&r->me, HELPER, helper, &k), 0);
	me_lm_addr(r->c, 0, 0x440);
	r->me.lm[0x110] = 0xfeedbeef;
	set_a(r, 2, 7);
	RUN(r, br(ALWAYS, HELPER, 2), alu(A(0), NONE, B_, A(2)), immed(B(0), START + 3),
	    alu(A(5), I(1), ADD, B(0)), alu(A(6), A(0), ADD, I(2)));
	assert_int_equal(k.n, 1);
	assert_int_equal(k.a0, 7);
	assert_int_equal(k.key, 0xfeedbeef);
	ASSERT_A(r, 5, 0x12340001, 0x12340002);
}

static void function_that_waits(void **state)
{
	struct rig *r = *state;
	struct calls k = { .again = 2 };

	assert_int_equal(me_hook(&r->me, HELPER, helper, &k), 0);
	assert_int_equal(rig_run(r, WORDS(br(ALWAYS, HELPER, 1), immed(B(0), START + 2))), ME_WAIT);
	assert_int_equal(me_pc(r->c), HELPER);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_WAIT);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	assert_int_equal(k.n, 3);
	assert_int_equal(RB(r, 0), 0x12340000);
}

static enum me_hook_ret finish(struct me *me, struct me_ctx *c, void *priv)
{
	(void)me;
	(void)priv;
	me_gpr_set(c, 3, 33);
	return ME_HOOK_DONE;
}

static void function_that_ends(void **state)
{
	struct rig *r = *state;

	assert_int_equal(me_hook(&r->me, HELPER, NULL, NULL), 0);
	assert_int_equal(me_hook(&r->me, HELPER, finish, NULL), 0);
	RUN(r, br(ALWAYS, HELPER, 0), immed(A(3), 1));
	assert_int_equal(RA(r, 3), 33);
}

/* B0 has the function's own address: the budget must end the endless loop. */
static void function_to_itself(void **state)
{
	struct rig *r = *state;
	struct calls k = { 0 };

	assert_int_equal(me_hook(&r->me, HELPER, helper, &k), 0);
	set_b(r, 0, HELPER);
	rig_load(r, WORDS(br(ALWAYS, HELPER, 0)));
	me_start(&r->me, 1, r->img, START);
	assert_int_equal(me_run(&r->me, 1, 2), ME_BUDGET);
	assert_int_equal(k.n, 1);
	assert_int_equal(me_pc(r->c), HELPER);
}

static void hooks_are_limited(void **state)
{
	struct rig *r = *state;
	unsigned int i;

	for (i = 1; i < ME_HOOKS; i++)
		assert_int_equal(me_hook(&r->me, i, NULL, NULL), 0);
	assert_int_equal(me_hook(&r->me, i, NULL, NULL), -ENOSPC);
	assert_int_equal(me_hook(&r->me, DONE, NULL, NULL), 0);
	assert_int_equal(me_hook(&r->me, ME_USTORE, NULL, NULL), -EINVAL);
}

/* ---- running ---- */

static void budget_and_count(void **state)
{
	struct rig *r = *state;
	uint64_t loop[] = {
		alu(AB(1), A(1), SUB, I(1)), br(NE, START, 1), alu(A(2), A(2), ADD, I(1)),
	};

	me_gpr_set(r->c, 1, 10);
	set_a(r, 2, 0);
	rig_load(r, loop, 3);
	me_start(&r->me, 1, r->img, START);
	assert_int_equal(me_run(&r->me, 1, 0), ME_BUDGET);
	assert_int_equal(r->c->insns, 0);
	assert_int_equal(me_run(&r->me, 1, 1), ME_BUDGET);
	assert_in_range(r->c->insns, 1, 3);
	assert_int_equal(me_run(&r->me, 1, 10), ME_BUDGET);
	assert_in_range(r->c->insns, 11, 15);
	assert_int_equal(me_run(&r->me, 1, UINT64_MAX), ME_DONE);
	/* 10 rounds of 3, the branch to DONE, and the hook at DONE */
	assert_int_equal(r->c->insns, 32);
	ASSERT_A(r, 1, 0, 10);
}

static void yield(void **state)
{
	struct rig *r = *state;

	assert_int_equal(rig_run(r, WORDS(ctx_arb(1, false), immed(A(1), 5))), ME_YIELD);
	assert_int_equal(me_pc(r->c), START + 1);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	assert_int_equal(RA(r, 1), 5);
}

static void wait_for_signals(void **state)
{
	struct rig *r = *state;

	assert_int_equal(rig_run(r, WORDS(ctx_arb(0x8008, false), ctx_arb(6, true))), ME_WAIT);
	me_signal(r->c, 3);
	me_signal(r->c, 0);
	me_signal(r->c, 16);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_WAIT);
	me_signal(r->c, 15);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_WAIT);
	me_signal(r->c, 2);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	/* The wait for two signals has consumed them, that for any of two has not. */
	assert_int_equal(r->c->signals, 1 << 2);
}

/* Wait for the signal of a command that did not swap. */
static void wait_for_command(void **state)
{
	struct rig *r = *state;
	uint64_t read = cmd(READ32_SWAP, PKT, 0, A(1), I(0), 0, NO_SWAP) | 4ull << 28;

	set_a(r, 1, 0);
	r->pkt[1] = 1;
	RUN(r, read, ctx_arb(1 << 4, false), alu(A(2), NONE, B_, X(0)));
	assert_int_equal(RA(r, 2), 0x100);
}

/* Replace the program while a context is in the middle of the old one, which it finishes. */
static void image_replaced(void **state)
{
	struct rig *r = *state;
	struct me_image *old;

	assert_int_equal(rig_run(r, WORDS(ctx_arb(1, false), immed(A(1), 1))), ME_YIELD);
	old = me_image_get(r->img);
	rig_load(r, WORDS(immed(A(1), 2), NOP));
	me_image_put(old);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	assert_int_equal(RA(r, 1), 1);
	me_start(&r->me, 1, r->img, START);
	assert_int_equal(me_run(&r->me, 1, BUDGET), ME_DONE);
	assert_int_equal(RA(r, 1), 2);
}

static void fault_ends_with_start(void **state)
{
	struct rig *r = *state;

	FAULTS(r, ME_FAULT_ENCODING, 1, immed(A(1), 1), 0x1fffffffffff);
	RUN(r, immed(A(1), 3));
	assert_int_equal(r->c->fault.reason, ME_FAULT_NONE);
	assert_int_equal(RA(r, 1), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(branch_without_slots),
		RIG_TEST(branch_with_slots),
		RIG_TEST(slots_do_not_decide),
		RIG_TEST(slot_as_target),
		RIG_TEST(branch_by_bit),
		RIG_TEST(branch_by_byte),
		RIG_TEST(return_by_register),
		RIG_TEST(jump_by_table),
		RIG_TEST(branch_by_context),
		RIG_TEST(branch_by_signal),
		RIG_TEST(slots_that_are_none),
		RIG_TEST(command_in_slot),
		RIG_TEST(outside_of_code),
		RIG_TEST(image_at_both_ends),
		RIG_TEST(function_call),
		RIG_TEST(function_that_waits),
		RIG_TEST(function_that_ends),
		RIG_TEST(function_to_itself),
		RIG_TEST(hooks_are_limited),
		RIG_TEST(budget_and_count),
		RIG_TEST(yield),
		RIG_TEST(wait_for_signals),
		RIG_TEST(wait_for_command),
		RIG_TEST(image_replaced),
		RIG_TEST(fault_ends_with_start),
	};

	return cmocka_run_group_tests_name("me_flow", tests, NULL, NULL);
}
