// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_chan_irq.c - interrupt moderation: which interrupts the card delays, for
 * how long, and that each one comes.
 */
#include "test_apps.h"
#include "clock.h"
#include "fw_host.h"
#include "slowly.h"

#define OK	NFP_CHAN_FW_OK
#define BAD	NFP_CHAN_FW_EINVAL
#define SECOND	NFP_CHAN_IRQ_USECS_MAX
#define PATIENCE	slowly(10000)	/* ms, after which a wait fails */

static int open_held(struct fw_pipe *p, struct fw_host *h, unsigned int index, unsigned int chan,
		     uint16_t count, uint32_t usecs)
{
	struct nfp_chan_fw_req req;

	fw_open_req(p, h, index, chan, 19, &req);
	req.irq_count = count;
	req.irq_usecs = usecs;
	return fw_request(h, &req);
}

/* Make the process "load" send @count messages on @target. */
static void load(struct fw_pipe *ctl, uint32_t target, uint32_t count, uint32_t size)
{
	struct load_req req = { .count = count, .size = size, .target = target };

	fw_send_run(ctl, &req, sizeof(req));
}

struct wish {
	const struct fw_pipe *p;
	unsigned long irqs;
};

static bool fired(void *arg)
{
	const struct wish *w = arg;

	return fw_irqs(w->p) >= w->irqs;
}

/* Wait for interrupt number @irqs since the board's start. There must be no further one. */
static void fires_in_the_end(struct fw_pipe *p, unsigned long irqs)
{
	struct wish w = { p, irqs };

	assert_int_equal(host_run_until(p->h->host, fired, &w, PATIENCE), 0);
	host_run(p->h->host);
	assert_int_equal(fw_irqs(p), irqs);
}

/* Check that no interrupt came, unless the delay of one second may have ended. */
static void nothing_since(struct fw_pipe *p, uint64_t start, unsigned long before)
{
	unsigned long irqs = fw_irqs(p);

	if (now_ns() / 1000 - start < SECOND)
		assert_int_equal(irqs, before);
}

static void one_for_many(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, p;
	uint64_t start = now_ns() / 1000;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(open_held(&p, h, 1, CHAN_ID_LOAD, 4, SECOND), OK);
	fw_arm(&p, 0);
	load(&ctl, LOAD_LOAD, 3, 16);
	nothing_since(&p, start, 0);
	load(&ctl, LOAD_LOAD, 1, 16);
	assert_int_equal(fw_irqs(&p), 1);
	/* Without arming no interrupt comes. Armed for a count long past, it comes at once. */
	load(&ctl, LOAD_LOAD, 10, 16);
	assert_int_equal(fw_irqs(&p), 1);
	fw_arm(&p, 4);
	host_run(h->host);
	assert_int_equal(fw_irqs(&p), 2);
	/* Three messages are newer than the count armed for: the interrupt waits for the fourth. */
	assert_int_equal(p.note->seq, 14);
	start = now_ns() / 1000;
	fw_arm(&p, 11);
	host_run(h->host);
	nothing_since(&p, start, 2);
	load(&ctl, LOAD_LOAD, 1, 16);
	assert_int_equal(fw_irqs(&p), 3);
}

/* The delay ends, also if it is longer than the microengine's longest alarm (1.3 ms). */
static void in_time(void **state)
{
	static const uint32_t usecs[] = { 1, 500, 5000 };
	struct fw_host *h = *state;
	struct fw_pipe ctl;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	for (unsigned int i = 0; i < 3; i++) {
		struct fw_pipe p;
		uint64_t start;

		assert_int_equal(open_held(&p, h, 1 + i, CHAN_ID_LOAD, 0, usecs[i]), OK);
		start = now_ns() / 1000;
		fw_arm(&p, 0);
		load(&ctl, LOAD_LOAD, 3, 16);
		fires_in_the_end(&p, 1);
		assert_true(now_ns() / 1000 - start >= usecs[i]);
		assert_int_equal(fw_close(&p), OK);
	}
}

/* Two pipes have different delays. */
static void each_in_its_time(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p[2];
	uint64_t start;

	assert_int_equal(open_held(&p[0], h, 0, CHAN_ID_TICK, 0, 3000), OK);
	start = now_ns() / 1000;
	fw_arm(&p[0], 0);
	fw_signal_run(h, CHAN_ID_TICK);
	assert_int_equal(open_held(&p[1], h, 1, CHAN_ID_TICK, 0, SECOND), OK);
	/* The next message goes to the pipe with fewer outstanding bytes. */
	fw_arm(&p[1], 0);
	fw_signal_run(h, CHAN_ID_TICK);
	assert_int_equal(p[1].note->seq, 1);
	fires_in_the_end(&p[0], 1);
	nothing_since(&p[1], start, 0);
	fires_in_the_end(&p[1], 1);
	assert_true(now_ns() / 1000 - start >= SECOND);
	assert_int_equal(fw_irqs(&p[0]), 1);
}

/* The host arms again and again: that does not extend the delay. */
static void armed_again_is_not_put_off(void **state)
{
	struct fw_host *h = *state;
	uint64_t end = now_ns() / 1000 + PATIENCE * 1000ull;
	struct fw_pipe p;

	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 0, 200000), OK);
	fw_arm(&p, 0);
	fw_signal(h, CHAN_ID_TICK);
	do {
		fw_arm(&p, 0);
		host_run(h->host);
	} while (!fw_irqs(&p) && now_ns() / 1000 < end);
	assert_int_equal(fw_irqs(&p), 1);
}

/* If the ring is full, the interrupt comes at once, because the sender waits for the host. */
static void not_when_full(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe ctl, rv, p;
	uint64_t start = now_ns() / 1000;

	assert_int_equal(fw_open(&ctl, h, 0, CHAN_ID_LOAD_CTL, 12), OK);
	assert_int_equal(open_held(&rv, h, 1, CHAN_ID_LOAD_RV, 100, SECOND), OK);
	fw_arm(&rv, 0);
	load(&ctl, LOAD_RV, 1, 16);
	assert_int_equal(fw_irqs(&rv), 1);
	assert_int_equal(fw_close(&rv), OK);
	assert_int_equal(open_held(&p, h, 2, CHAN_ID_LOAD, 65535, SECOND), OK);
	fw_arm(&p, 0);
	load(&ctl, LOAD_LOAD, 63, LOAD_SIZE_MAX);
	nothing_since(&p, start, 0);
	load(&ctl, LOAD_LOAD, 1, LOAD_SIZE_MAX);
	assert_int_equal(fw_irqs(&p), 1);
}

/* If the card has taken all messages, the interrupt comes at once: no further count will follow. */
static void not_when_all_is_taken(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe tx, rx;
	uint64_t start = now_ns() / 1000;
	char buf[64];

	assert_int_equal(open_held(&tx, h, 0, CHAN_ID_ECHO_IN, 100, SECOND), OK);
	fw_arm(&tx, 0);
	for (int i = 0; i < 3; i++)
		fw_put(&tx, "x", 1);
	fw_ring_run(&tx);
	/* The process took one message, and waits because echo-out has no receiver. */
	assert_int_equal(tx.note->seq, 1);
	nothing_since(&tx, start, 0);
	assert_int_equal(fw_open(&rx, h, 1, CHAN_ID_ECHO_OUT, 16), OK);
	host_run(h->host);
	assert_int_equal(tx.note->seq, 3);
	assert_int_equal(fw_irqs(&tx), 1);
	assert_int_equal(fw_recv(&rx, buf, sizeof(buf)), 1);
}

static void not_at_the_end(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p;

	assert_int_equal(open_held(&p, h, 0, CHAN_ID_ONCE, 100, SECOND), OK);
	fw_arm(&p, 0);
	fw_signal_run(h, CHAN_ID_ONCE);
	assert_int_equal(p.note->state, NFP_CHAN_STATE_EPIPE);
	assert_int_equal(fw_irqs(&p), 1);
}

/* After a CLOSE during the delay, the interrupt does not come to the next pipe of the vector. */
static void closed_is_closed(void **state)
{
	struct fw_host *h = *state;
	struct fw_pipe p;

	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 0, 2000), OK);
	fw_arm(&p, 0);
	fw_signal_run(h, CHAN_ID_TICK);
	assert_int_equal(fw_close(&p), OK);
	assert_int_equal(fw_open(&p, h, 0, CHAN_ID_TICK, 12), OK);
	for (uint64_t end = now_ns() / 1000 + 4000; now_ns() / 1000 < end;)
		host_run(h->host);
	assert_int_equal(fw_irqs(&p), 0);
}

/* The message and the arming in every order: exactly one interrupt. */
static void every_order(void **state)
{
	struct fw_host *h = *state;
	unsigned long irqs = 0;

	for (unsigned int first = 0; first < 2; first++) {
		for (unsigned int b = 0; b < 24; b++) {
			struct fw_pipe p;

			assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 2, 50), OK);
			if (first)
				fw_arm(&p, 0);
			else
				fw_signal(h, CHAN_ID_TICK);
			for (unsigned int n = 0; n < b; n++)
				board_run(h->host->b, 1);
			if (first)
				fw_signal(h, CHAN_ID_TICK);
			else
				fw_arm(&p, 0);
			fires_in_the_end(&p, ++irqs);
			assert_int_equal(p.note->seq, 1);
			assert_int_equal(fw_close(&p), OK);
		}
	}
}

static void limits(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req;
	struct fw_pipe p;

	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 2, 0), BAD);
	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 0, SECOND + 1), BAD);
	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 0, UINT32_MAX), BAD);
	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 1, 0), OK);
	fw_arm(&p, 0);
	fw_signal_run(h, CHAN_ID_TICK);
	assert_int_equal(fw_irqs(&p), 1);
	req = (struct nfp_chan_fw_req){ .cmd = NFP_CHAN_FW_CMD_CLOSE, .irq_usecs = 1 };
	assert_int_equal(fw_request(h, &req), BAD);
	req = (struct nfp_chan_fw_req){ .cmd = NFP_CHAN_FW_CMD_CLOSE, .irq_count = 1 };
	assert_int_equal(fw_request(h, &req), BAD);
	assert_int_equal(fw_close(&p), OK);
	assert_int_equal(open_held(&p, h, 0, CHAN_ID_TICK, 65535, SECOND), OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(one_for_many),
		T(in_time),
		T(each_in_its_time),
		T(armed_again_is_not_put_off),
		T(not_when_full),
		T(not_when_all_is_taken),
		T(not_at_the_end),
		T(closed_is_closed),
		T(every_order),
		T(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
