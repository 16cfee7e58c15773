// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_xdp_fault.c - offloaded programs that fault. The card drops the frame, counts it as
  * aborted, and goes on.
 */
#include "xdp_card.h"

static void assert_fault(struct rig *r, uint32_t len)
{
	uint64_t n = r->c.h->b->xdp->faults;

	arrive(r, len);
	assert_int_equal(r->c.h->b->xdp->faults, n + 1);
	assert_counted(r, BD_VERDICT_ABORTED, len);
	assert_no_host(r);
	assert_int_equal(r->metered, 0);
	assert_int_equal(r->sent, 0);
}

#define FAULTS(r, len, ...) do { ATTACH(r, __VA_ARGS__); assert_fault(r, len); } while (0)

static void test_faults(void **state)
{
	struct rig *r = *state;

	/* words that the JIT does not emit; branches out of the program, and without an end */
	FAULTS(r, 100, NOP, 0x1fffffffffffull, RETURN(RET_PASS));
	assert_fault(r, 101);
	FAULTS(r, 100, br(ALWAYS, 4000, 0));
	FAULTS(r, 100, br(ALWAYS, START, 0));
	/* A0 without a verdict, and with two */
	FAULTS(r, 100, RETURN(0x10));
	FAULTS(r, 100, RETURN(0x13));
	/* start one byte too low, one byte too high; frame shorter than a header, too long */
	FAULTS(r, 100, alu(DATA, DATA, SUB, I(93)), alu(LEN, LEN, ADD, I(93)), RETURN(RET_PASS));
	FAULTS(r, 200, alu(DATA, DATA, ADD, I(113)), RETURN(RET_PASS));
	FAULTS(r, 60, alu(LEN, LEN, SUB, I(47)), RETURN(RET_PASS));
	FAULTS(r, 60, immed(LEN, 0x3fff), RETURN(RET_TX));
	/* a read of an address that is in no map */
	FAULTS(r, 60, immed_any(A(1), 0, 0, true, false), immed_any(B(1), 0, 0, true, false),
	       cmd(READ32_SWAP, MU, 0, A(1), B(1), 0, SWAP), RETURN(RET_PASS));
	assert_int_equal(r->c.h->b->pkt[0].used, 0);
}

/* An access may begin anywhere in the packet buffer. A write must end in it; a read need not. */
static void test_buffer_end(void **state)
{
	struct rig *r = *state;

#define AT(off)	immed(A(4), (off)), alu(B(4), NONE, B_, A(4)), alu(A(4), B(4), ADD, DATA)
	RUN(r, 1000, AT(2047), cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_DROP));
	assert_counted(r, BD_VERDICT_DROP, 1000);
	RUN(r, 1000, AT(2044), cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_DROP));
	assert_counted(r, BD_VERDICT_DROP, 1000);
	FAULTS(r, 1000, AT(2048), cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_PASS));
	FAULTS(r, 1000, AT(2045), cmd(WRITE8_SWAP, PKT, 0, A(4), I(0), 3, SWAP), RETURN(RET_PASS));
	/* Accesses before the buffer's begin, and commands that packet memory does not have */
	FAULTS(r, 1000, alu(A(4), DATA, SUB, I(137)), cmd(READ32_SWAP, PKT, 0, A(4), I(0), 0, SWAP),
	       RETURN(RET_PASS));
	FAULTS(r, 1000, cmd_indir(CADD, PKT, 0, A(4), I(0), 0, SWAP), RETURN(RET_PASS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		XDP_TEST(test_faults),
		XDP_TEST(test_buffer_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
