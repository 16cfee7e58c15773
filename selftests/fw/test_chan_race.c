// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_race.c - steps of the host between any two turns of the firmware.
 *
 * Each test repeats with every number of turns (of budget 1) between the host's
 * steps. In every order, a sleeping host is woken, and only for news.
 */
#include "test_apps.h"
#include "chan_shared.h"
#include "fw_host.h"

#define OK	NFP_CHAN_FW_OK
#define TURNS	24	/* maximum of turns in which the board completes a step of these tests */

static struct fw_host host;
/* The record of the pipe that is armed, and the count that it is armed with. */
static volatile struct nfp_chan_note *irq_note;
static uint32_t irq_seq;
static unsigned int irq_early;

static void turns(unsigned int n)
{
	while (n--)
		if (!board_run(host.host->b, 1))
			break;
}

/* Close all pipes of the test before: HELLO does so. */
static void fresh(void)
{
	assert_int_equal(fw_hello(&host), OK);
}

static void drop(struct fw_pipe *p)
{
	fw_close(p);
	irq_note = NULL;
	fw_free(p);
}

/* Count interrupts that come before the record has changed. There must be none. */
static void on_irq(void *arg, unsigned int vector)
{
	(void)arg;
	(void)vector;
	if (irq_note && irq_note->seq == irq_seq && irq_note->state == NFP_CHAN_STATE_OPEN)
		irq_early++;
}

/*
 * Arm and send, in both orders and all interleavings: exactly one interrupt
 * comes, after the record shows the message.
 */
static void arm_against_message(void **state)
{
	(void)state;
	fresh();
	for (unsigned int first = 0; first < 2; first++) {
		for (unsigned int b = 0; b < TURNS; b++) {
			struct fw_pipe p;
			unsigned long before;

			assert_int_equal(fw_open(&p, &host, 0, CHAN_ID_TICK, 12), OK);
			before = fw_irqs(&p);
			irq_note = p.note;
			irq_seq = 0;
			if (first)
				fw_arm(&p, 0);
			else
				fw_signal(&host, CHAN_ID_TICK);
			turns(b);
			if (first)
				fw_signal(&host, CHAN_ID_TICK);
			else
				fw_arm(&p, 0);
			host_run(host.host);
			assert_int_equal(p.note->seq, 1);
			assert_int_equal(fw_irqs(&p) - before, 1);
			assert_int_equal(irq_early, 0);
			drop(&p);
		}
	}
}

/* Armed for the second message, the interrupt comes for that message only. */
static void arm_for_the_next(void **state)
{
	(void)state;
	fresh();
	for (unsigned int a = 0; a < TURNS; a++) {
		for (unsigned int b = 0; b < TURNS; b++) {
			struct echo_count c;
			struct fw_pipe p;
			unsigned long before;

			assert_int_equal(fw_open(&p, &host, 0, CHAN_ID_TICK, 12), OK);
			before = fw_irqs(&p);
			fw_signal_run(&host, CHAN_ID_TICK);
			assert_int_equal(fw_recv(&p, &c, sizeof(c)), sizeof(c));
			irq_note = p.note;
			irq_seq = 1;
			fw_arm(&p, 1);
			turns(a);
			/* Arming again toggles the arm register back to the value before. */
			fw_arm(&p, 1);
			turns(b);
			assert_int_equal(fw_irqs(&p), before);
			fw_signal_run(&host, CHAN_ID_TICK);
			assert_int_equal(p.note->seq, 2);
			/* The pipe was armed twice, so at most two interrupts come. */
			assert_in_range(fw_irqs(&p) - before, 1, 2);
			assert_int_equal(irq_early, 0);
			drop(&p);
		}
	}
}

/* No interrupt comes if the pipe is not armed, or is armed and no news follows. */
static void no_arm_no_interrupt(void **state)
{
	(void)state;
	fresh();
	for (unsigned int b = 0; b < TURNS; b++) {
		struct echo_count c;
		struct fw_pipe p;
		unsigned long before;

		assert_int_equal(fw_open(&p, &host, 0, CHAN_ID_TICK, 12), OK);
		before = fw_irqs(&p);
		fw_signal(&host, CHAN_ID_TICK);
		turns(b);
		fw_signal_run(&host, CHAN_ID_TICK);
		assert_int_equal(fw_recv(&p, &c, sizeof(c)), sizeof(c));
		fw_ring_run(&p);
		assert_int_equal(fw_irqs(&p), before);
		fw_arm(&p, p.note->seq);
		host_run(host.host);
		assert_int_equal(fw_irqs(&p), before);
		drop(&p);
	}
}

/* A sender that waits for room is woken, whether it arms before or after the room comes. */
static void room_wakes_sender(void **state)
{
	(void)state;
	fresh();
	for (unsigned int first = 0; first < 2; first++) {
		for (unsigned int b = 0; b < 2 * TURNS; b++) {
			struct fw_pipe in, out;
			uint8_t buf[8];

			assert_int_equal(fw_open(&in, &host, 0, CHAN_ID_RV_IN, 12), OK);
			assert_int_equal(fw_open(&out, &host, 1, CHAN_ID_RV_OUT, 12), OK);
			irq_note = in.note;
			irq_seq = 1;
			fw_send_run(&in, "first", 6);
			fw_send_run(&in, "second", 7);
			assert_int_equal(in.note->seq, 1);
			assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 6);
			unsigned long before = fw_irqs(&in);

			if (first)
				fw_arm(&in, 1);
			else
				fw_ring(&out);
			turns(b);
			if (first)
				fw_ring(&out);
			else
				fw_arm(&in, 1);
			host_run(host.host);
			assert_int_equal(in.note->seq, 2);
			assert_int_equal(fw_irqs(&in) - before, 1);
			assert_int_equal(irq_early, 0);
			assert_int_equal(fw_recv(&out, buf, sizeof(buf)), 7);
			fw_ring_run(&out);
			drop(&in);
			drop(&out);
		}
	}
}

/*
 * CLOSE at any moment of a transfer: each message is received or counted as
 * lost. After the answer, the card does not write to the pipe's memory.
 */
static void close_anywhere(void **state)
{
	struct nfp_chan_fw_stat s0;

	(void)state;
	fresh();
	for (unsigned int b = 0; b < 6 * TURNS; b++) {
		struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 1 };
		struct load_req load = { 4, 600, LOAD_LOAD, 0 };
		struct fw_pipe ctl, out, out2;
		unsigned long faults, irqs;
		uint32_t got, lost;

		s0 = fw_stat(&host, CHAN_ID_LOAD);
		assert_int_equal(fw_open(&ctl, &host, 0, CHAN_ID_LOAD_CTL, 12), OK);
		assert_int_equal(fw_open(&out, &host, 1, CHAN_ID_LOAD, 17), OK);
		fw_arm(&out, 0);
		fw_send(&ctl, &load, sizeof(load));
		turns(b);
		req.seq = ++host.seq;
		fw_post(&host, &req);
		while (host.rsp->seq != req.seq)
			turns(1);
		lost = host.rsp->value;
		irqs = fw_irqs(&out);
		faults = host.host->faults;
		fw_free(&out);
		host_run(host.host);
		assert_int_equal(host.host->faults, faults);
		assert_int_equal(fw_irqs(&out), irqs);
		/* The messages that were not in the ring go to the next pipe. */
		assert_int_equal(fw_open(&out2, &host, 2, CHAN_ID_LOAD, 17), OK);
		host_run(host.host);
		fw_look(&out2);
		got = out2.note->seq;
		assert_int_equal(got + lost, 4);
		assert_int_equal(fw_stat(&host, CHAN_ID_LOAD).msgs - s0.msgs, 4);
		assert_int_equal(fw_stat(&host, CHAN_ID_LOAD).dropped - s0.dropped, lost);
		drop(&ctl);
		drop(&out2);
	}
}

/*
 * CANCEL at any moment: the answer is TAKEN and the message is received, or it is never received.
 */
static void cancel_anywhere(void **state)
{
	(void)state;
	fresh();
	for (unsigned int b = 0; b < 3 * TURNS; b++) {
		struct nfp_chan_fw_req req = {
			.cmd = NFP_CHAN_FW_CMD_CANCEL, .pipe = 0, .msg_seq = 1,
		};
		struct fw_pipe in, out;
		uint8_t buf[8];
		int got;

		assert_int_equal(fw_open(&in, &host, 0, CHAN_ID_RV_IN, 12), OK);
		assert_int_equal(fw_open(&out, &host, 1, CHAN_ID_RV_OUT, 12), OK);
		req.seq = ++host.seq;
		fw_send(&in, "once", 5);
		turns(b);
		fw_post(&host, &req);
		host_run(host.host);
		assert_int_equal(host.rsp->seq, req.seq);
		assert_int_equal(in.note->seq, 1);
		got = fw_recv(&out, buf, sizeof(buf));
		if (host.rsp->status == NFP_CHAN_FW_TAKEN)
			assert_int_equal(got, 5);
		else
			assert_int_equal(got, -1);
		fw_ring_run(&out);
		drop(&in);
		drop(&out);
	}
}

/*
 * The control context closes a pipe of a channel. At the same time the events context turns off
 * another pipe of the channel, because the host breaks the protocol. Each context decrements the
 * channel's count of open pipes, and the count must be right.
 */
static void close_against_fault(void **state)
{
	(void)state;
	hal_swap_slow(64);
	fresh();
	for (unsigned int b = 0; b < 24 * TURNS; b++) {
		struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 0 };
		struct fw_pipe p, q;

		assert_int_equal(fw_open(&p, &host, 0, CHAN_ID_LOAD, 17), OK);
		assert_int_equal(fw_open(&q, &host, 1, CHAN_ID_LOAD, 17), OK);
		assert_int_equal(chan_shared.open_pipes[CHAN_ID_LOAD], 2);
		req.seq = ++host.seq;
		fw_post(&host, &req);
		turns(b % (6 * TURNS));
		qc_add_wptr(host.host, fw_data_queue(&q), 1);
		assert_int_equal(fw_answer(&host), OK);
		assert_int_equal(q.note->state, NFP_CHAN_STATE_FAULT);
		assert_int_equal(chan_shared.open_pipes[CHAN_ID_LOAD], 0);
		fw_free(&p);
		drop(&q);
	}
}

/* CLOSE while the card raises an interrupt: after the answer no interrupt comes. */
static void close_against_arm(void **state)
{
	(void)state;
	fresh();
	for (unsigned int b = 0; b < 6 * TURNS; b++) {
		struct nfp_chan_fw_req req = { .cmd = NFP_CHAN_FW_CMD_CLOSE, .pipe = 0 };
		unsigned long irqs;
		struct fw_pipe p;

		assert_int_equal(fw_open(&p, &host, 0, CHAN_ID_TICK, 12), OK);
		fw_signal_run(&host, CHAN_ID_TICK);
		fw_arm(&p, 0);
		turns(b % TURNS);
		req.seq = ++host.seq;
		fw_post(&host, &req);
		while (host.rsp->seq != req.seq)
			turns(1);
		irqs = fw_irqs(&p);
		host_run(host.host);
		assert_int_equal(fw_irqs(&p), irqs);
		fw_free(&p);
	}
}

static int setup(void **state)
{
	(void)state;
	fw_host_start(&host);
	for (unsigned int v = FW_VEC_PIPE; v < FW_VEC_PIPE + 2; v++)
		host_on_irq(host.host, v, on_irq, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fw_host_stop(&host);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_against_message),
		cmocka_unit_test(arm_for_the_next),
		cmocka_unit_test(no_arm_no_interrupt),
		cmocka_unit_test(room_wakes_sender),
		cmocka_unit_test(close_anywhere),
		cmocka_unit_test(cancel_anywhere),
		cmocka_unit_test(close_against_fault),
		cmocka_unit_test(close_against_arm),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
