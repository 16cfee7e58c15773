// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ring_fw.c - the library's ring code against the firmware on its board. */
#define _GNU_SOURCE
#include <errno.h>
#include "ring_end.h"
#include "ring_peer.h"

/* Send through the echo process and back, until both rings have wrapped round. */
static void echo(struct fw_host *h, unsigned int shift, uint32_t count)
{
	uint32_t in = 0, out = 0, len;
	uint8_t want[2048], got[2048];
	struct end tx, rx;
	long n;

	end_open(&tx, h, 0, CHAN_ID_ECHO_IN, shift);
	end_open(&rx, h, 1, CHAN_ID_ECHO_OUT, shift);
	while (out < count) {
		for (;;) {
			len = in * 97 % 2049;
			fill(want, len, in);
			if (in == count || ring_put(&tx.r, want, len))
				break;
			in++;
		}
		host_run(h->host);
		while ((n = take(&rx.r, got)) >= 0) {
			len = out * 97 % 2049;
			fill(want, len, out);
			assert_int_equal(n, len);
			assert_memory_equal(got, want, len);
			out++;
		}
		assert_int_equal(n, -EAGAIN);
	}
	assert_int_equal(take(&rx.r, got), -EAGAIN);
	assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
	assert_true(tx.r.pos > 1u << shift);
	/* Nothing was armed: no interrupt */
	assert_int_equal(irqs(&tx), 0);
	assert_int_equal(irqs(&rx), 0);
	assert_int_equal(h->host->faults, 0);
}

static void test_echo(void **state)
{
	echo(*state, 16, 300);
}

static void test_echo_large_units(void **state)
{
	echo(*state, 20, 1100);
}

static void test_rendezvous(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[256];
	struct end tx, rx;
	uint32_t i;

	end_open(&tx, h, 0, CHAN_ID_RV_IN, 12);
	end_open(&rx, h, 1, CHAN_ID_RV_OUT, 12);
	for (i = 0; i < 200; i++) {
		assert_int_equal(ring_put(&tx.r, &i, sizeof(i)), 0);
		assert_int_equal(ring_put(&tx.r, &i, sizeof(i)), -EAGAIN);
		host_run(h->host);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
		/* The ME process waits in its send until the host has received that message */
		assert_int_equal(ring_put(&tx.r, &i, 1), 0);
		host_run(h->host);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), -EAGAIN);
		assert_int_equal(take(&rx.r, buf), sizeof(i));
		assert_memory_equal(buf, &i, sizeof(i));
		host_run(h->host);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
		assert_int_equal(take(&rx.r, buf), 1);
		host_run(h->host);
	}
}

static void test_arm(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[8];
	struct end rx;
	unsigned int i;

	end_open(&rx, h, 0, CHAN_ID_TICK, 12);
	for (i = 0; i < 5; i++) {
		assert_int_equal(take(&rx.r, buf), -EAGAIN);
		assert_int_equal(ring_arm(&rx.r), 0);
		host_run(h->host);
		assert_int_equal(irqs(&rx), 2 * i);
		fw_signal(h, CHAN_ID_TICK);
		host_run(h->host);
		assert_int_equal(irqs(&rx), 2 * i + 1);
		/* An arm while a message is unread raises an interrupt at once, and only one */
		assert_int_equal(ring_arm(&rx.r), 1);
		host_run(h->host);
		assert_int_equal(irqs(&rx), 2 * i + 2);
		assert_int_equal(take(&rx.r, buf), 8);
	}
}

static void test_end_of_process(void **state)
{
	struct fw_host *h = *state;
	uint8_t buf[8];
	struct end rx;

	end_open(&rx, h, 0, CHAN_ID_ONCE, 12);
	assert_int_equal(ring_arm(&rx.r), 0);
	fw_signal(h, CHAN_ID_ONCE);
	host_run(h->host);
	assert_int_equal(irqs(&rx), 1);
	assert_int_equal(take(&rx.r, buf), 8);
	assert_int_equal(take(&rx.r, buf), -EPIPE);
}

static uint64_t dma_reads(struct fw_host *h)
{
	struct board_tlp_count c;

	board_tlp_get(h->host->b, BOARD_TLP_DATA, &c);
	return c.dev_nonposted;
}

/* Send @msg through the echo process, and check that it comes back. */
static void echo_back(struct end *tx, struct end *rx, const void *msg, uint32_t len)
{
	uint8_t got[2048];

	host_run(tx->h->host);
	assert_int_equal(take(&rx->r, got), len);
	assert_memory_equal(got, msg, len);
	ring_flush(&rx->r);
	host_run(tx->h->host);
}

/*
 * A small message that finds the ring empty needs no read of the host's memory. Others are read
 * from there. No message comes twice or out of order.
 */
static void test_inline(void **state)
{
	struct fw_host *h = *state;
	uint8_t want[512], got[2048];
	struct end tx, rx;
	uint64_t reads;
	uint32_t i;

	end_open_inline(&tx, h, 0, CHAN_ID_ECHO_IN, 14, 3, 64 + 8);
	end_open(&rx, h, 1, CHAN_ID_ECHO_OUT, 14);
	for (i = 0; i <= 64; i++) {
		fill(want, i, i);
		reads = dma_reads(h);
		assert_int_equal(ring_put(&tx.r, want, i), 0);
		host_run(h->host);
		assert_int_equal(dma_reads(h), reads);
		echo_back(&tx, &rx, want, i);
	}
	assert_int_equal(tx.r.count.inlined, 65);
	/*
	 * A larger message is read from memory; so are two at a time, although the first is
	 * inline.
	 */
	reads = dma_reads(h);
	fill(want, 65, 7);
	assert_int_equal(ring_put(&tx.r, want, 65), 0);
	host_run(h->host);
	assert_int_equal(dma_reads(h), reads + 1);
	echo_back(&tx, &rx, want, 65);
	for (i = 0; i < 3; i++) {
		want[0] = (uint8_t)i;
		assert_int_equal(ring_put(&tx.r, want, 16), 0);
	}
	assert_int_equal(tx.r.count.inlined, 66);
	for (i = 0; i < 3; i++) {
		host_run(h->host);
		assert_int_equal(take(&rx.r, got), 16);
		assert_int_equal(got[0], i);
		ring_flush(&rx.r);
	}
	assert_int_equal(h->host->faults, 0);
}

/* Data of an earlier message in the page is not taken for the next message. */
static void test_inline_stale(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_hdr bad[] = {
		{ .len = 4, .seq = 1 }, { .len = 4, .seq = 3 }, { .len = 2048, .seq = 2 },
		{ .len = 4, .seq = 2, .rsvd = 1 }, { .len = 12, .seq = 2 },
	};
	struct nfp_chan_fw_req close = { .cmd = NFP_CHAN_FW_CMD_CLOSE };
	struct end tx, rx;

	end_open(&rx, h, 1, CHAN_ID_ECHO_OUT, 14);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		end_open_inline(&tx, h, 0, CHAN_ID_ECHO_IN, 14, 1, 72);
		assert_int_equal(ring_put(&tx.r, "one.", 4), 0);
		echo_back(&tx, &rx, "one.", 4);
		end_inline(&tx, 0, bad[i].len);
		end_inline(&tx, 4, bad[i].seq | (uint32_t)bad[i].rsvd << 16);
		end_inline(&tx, 8, 0x21646162);
		tx.r.inl_max = 0;
		assert_int_equal(ring_put(&tx.r, "two.", 4), 0);
		echo_back(&tx, &rx, "two.", 4);
		assert_int_equal(fw_request(h, &close), NFP_CHAN_FW_OK);
	}
}

/* Send a message that is too large for the page through the echo process. */
static void echo_ring(struct end *tx, struct end *rx, uint32_t value)
{
	void *to;

	assert_int_equal(ring_reserve(&tx->r, &to, sizeof(value)), 0);
	memcpy(to, &value, sizeof(value));
	ring_commit(&tx->r, sizeof(value));
	ring_kick(&tx->r);
	echo_back(tx, rx, &value, sizeof(value));
}

/*
 * The next owner of a page sends a message with the same number as the one that the former owner
 * has left in the page. The card must not take the old data for it.
 */
static void test_inline_next_owner(void **state)
{
	struct nfp_chan_fw_req close = { .cmd = NFP_CHAN_FW_CMD_CLOSE };
	uint8_t page[NFP_CHAN_FW_INLINE_PAGE];
	struct fw_host *h = *state;
	struct end tx, rx;
	size_t i;

	end_open(&rx, h, 1, CHAN_ID_ECHO_OUT, 14);
	end_open_inline(&tx, h, 0, CHAN_ID_ECHO_IN, 14, 1, 72);
	assert_int_equal(ring_put(&tx.r, "mine", 4), 0);
	echo_back(&tx, &rx, "mine", 4);
	for (i = sizeof(struct nfp_chan_hdr) + 4; i < sizeof(page); i += 4)
		end_inline(&tx, i, 0x656e696d);
	assert_int_equal(fw_request(h, &close), NFP_CHAN_FW_OK);
	end_open_inline(&tx, h, 0, CHAN_ID_ECHO_IN, 14, 1, 72);
	fw_sram_read(h, h->cb.inline_off, page, sizeof(page));
	for (i = sizeof(struct nfp_chan_hdr); i < sizeof(page); i++)
		assert_int_equal(page[i], 0);
	echo_ring(&tx, &rx, 0x72756f79);
}

/* Message numbers have 16 bits: after 65536 messages the number in the page is used again. */
static void test_inline_number_again(void **state)
{
	struct fw_host *h = *state;
	struct end tx, rx;
	uint32_t i;

	end_open(&rx, h, 1, CHAN_ID_ECHO_OUT, 14);
	end_open_inline(&tx, h, 0, CHAN_ID_ECHO_IN, 14, 1, 72);
	assert_int_equal(ring_put(&tx.r, "mine", 4), 0);
	echo_back(&tx, &rx, "mine", 4);
	for (i = 1; i <= 2 * 65536; i++)
		echo_ring(&tx, &rx, i);
	assert_int_equal(tx.r.count.inlined, 1);
}

/* Only a pipe with messages to the NFP can have a page, and no other may have the same. */
static void test_inline_open(void **state)
{
	struct fw_host *h = *state;
	struct nfp_chan_fw_req req;
	struct fw_pipe p, q;

	fw_open_req(&p, h, 0, CHAN_ID_ECHO_IN, 14, &req);
	req.inline_page = h->cb.inline_count + 1;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	req.inline_page = h->cb.inline_count;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_OK);
	fw_open_req(&q, h, 1, CHAN_ID_ECHO_IN, 14, &req);
	req.inline_page = h->cb.inline_count;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_close(&p), NFP_CHAN_FW_OK);
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_OK);
	fw_open_req(&p, h, 2, CHAN_ID_LOOP_IN, 14, &req);
	req.unit_shift = 0;
	req.inline_page = 1;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_EINVAL);
}

/* Wrong inline data, which the library would never write: the card turns the pipe off. */
static void test_fault(void **state)
{
	struct fw_host *h = *state;
	struct end tx;

	end_open(&tx, h, 0, CHAN_ID_RV_IN, 12);
	*(struct nfp_chan_hdr *)tx.ring = (struct nfp_chan_hdr){ .len = 4096, .seq = 1 };
	end_doorbell(&tx, RING_REG_DATA, 2);
	host_run(h->host);
	assert_int_equal(((struct nfp_chan_note *)tx.note)->state, NFP_CHAN_STATE_FAULT);
	assert_int_equal(ring_put(&tx.r, "x", 1), -EIO);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_echo, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_echo_large_units, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_rendezvous, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_arm, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_end_of_process, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_inline, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_inline_stale, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_inline_next_owner, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_inline_number_again, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_inline_open, fw_setup, fw_teardown),
		cmocka_unit_test_setup_teardown(test_fault, fw_setup, fw_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
