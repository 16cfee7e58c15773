// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_vnic_rx_irq.c - interrupts of the emulated card's RX rings: masking, vectors that the
  * host has not armed yet, moderation.
 */
#include <time.h>

#include "vnic_rx_rig.h"

static void unmask(unsigned int ring)
{
	mu_write(t.h, BAR + 0xc00 + VECTOR(ring), 0, 1);
}

static void test_interrupt_mask(void **state)
{
	(void)state;
	ready(64, 60);
	arrive(1);
	arrive(5);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
	/* Frames came while the vector was masked. Unmasking must raise it: no other event does. */
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
}

static void test_interrupt_before_armed(void **state)
{
	(void)state;
	up(0);
	host_arm(t.h, VECTOR(0), false);
	offer(0, 16);
	frame_to(mac, 60);
	arrive(1);
	host_arm(t.h, VECTOR(0), true);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
}

static void wait_until(uint64_t at)
{
	struct timespec ts = { .tv_sec = at / 1000000000, .tv_nsec = at % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
		;
}

static void test_moderation(void **state)
{
	uint64_t at;

	(void)state;
	mu_write(t.h, BAR + 0xb00, 4 << 16 | 50000, 4);		/* after 4 frames or 1 ms */
	up(CTRL_IRQMOD);
	offer(0, 64);
	frame_to(mac, 60);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	arrive(1);
	at = board_deadline(t.h->b);
	assert_true(at != UINT64_MAX);
	arrive(3);
	assert_int_equal(t.h->irqs[VECTOR(0)], 1);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	unmask(0);
	arrive(1);
	wait_until(board_deadline(t.h->b));
	host_run(t.h);
	assert_int_equal(t.h->irqs[VECTOR(0)], 2);
	/* A masked vector has no deadline. Unmasking raises it at once: 4 frames have arrived. */
	arrive(4);
	assert_int_equal(board_deadline(t.h->b), UINT64_MAX);
	unmask(0);
	assert_int_equal(t.h->irqs[VECTOR(0)], 3);
	/* With moderation off, each frame raises the vector at once. */
	mu_write(t.h, BAR + 0xb00, 0, 4);
	unmask(0);
	assert_int_equal(reconfig(CTRL_BASE | CTRL_IRQMOD, 0x100), 0);
	arrive(1);
	assert_int_equal(t.h->irqs[VECTOR(0)], 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_interrupt_mask),
		TEST(test_interrupt_before_armed),
		TEST(test_moderation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
