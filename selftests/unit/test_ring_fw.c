// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ring_fw.c - the library's ring code against the firmware on its board. */
#define _GNU_SOURCE
#include <errno.h>
#include "fw_host.h"
#include "ring_peer.h"

/**
 * struct end - an open end of a channel, as the kernel sets it up
 * @r: the library's half
 * @h: the host it is on
 * @index: number of the pipe
 * @ring: data ring, twice in a row
 * @note: notification page
 * @ctl: control page
 */
struct end {
	struct ring r;
	struct fw_host *h;
	unsigned int index;
	uint8_t *ring;
	void *note;
	struct nfp_chan_ctl ctl;
};

static void doorbell(void *ctx, enum ring_reg reg, uint32_t val)
{
	struct end *e = ctx;

	inproc_qc_add_wptr(e->h->ip, e->h->cb.queue_base + 2 * e->index + (reg == RING_REG_ARM),
			   val);
}

static void end_open(struct end *e, struct fw_host *h, unsigned int index,
		     unsigned int chan, unsigned int ring_shift)
{
	struct nfp_chan_fw_req req = {
		.cmd = NFP_CHAN_FW_CMD_OPEN,
		.pipe = index,
		.chan = chan,
		.vector = FW_VEC_PIPE + index,
		.ring_shift = ring_shift,
		.unit_shift = ring_shift > 19 ? ring_shift - 16 : 3,
	};
	const struct chan_desc *d = &chan_desc[chan];
	struct ring_db db = { .store = doorbell, .ctx = e };
	uint32_t unit = 1u << req.unit_shift;
	struct nfp_chan_geom g = {
		.dir = d->dir,
		.elem_size = d->elem_size,
		.max_size = d->max_size,
		.depth = d->depth,
		.ring_size = 1u << ring_shift,
		.unit_shift = req.unit_shift,
	};
	uint64_t bus;

	memset(e, 0, sizeof(*e));
	e->h = h;
	e->index = index;
	g.limit = (8 + g.max_size + unit - 1) / unit * unit * (g.depth ? g.depth : 1);
	if (g.limit > g.ring_size)
		g.limit = g.ring_size;
	e->ring = map_twice(g.ring_size);
	assert_int_equal(inproc_dma_map(h->ip, e->ring, g.ring_size, &bus), 0);
	req.ring_addr = bus;
	e->note = inproc_dma_alloc(h->ip, 4096, &bus);
	assert_non_null(e->note);
	req.note_addr = bus;
	assert_int_equal(fw_request(h, &req), NFP_CHAN_FW_OK);
	assert_int_equal(ring_init(&e->r, &g, e->ring, e->note, &e->ctl, &db), 0);
}

static unsigned long irqs(const struct end *e)
{
	return inproc_msix_count(e->h->ip, FW_VEC_PIPE + e->index);
}

/* Through the echo process and back, often enough to run over both rings' ends. */
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
		inproc_run(h->ip);
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
	/* Nobody armed, nobody is woken */
	assert_int_equal(irqs(&tx), 0);
	assert_int_equal(irqs(&rx), 0);
	assert_int_equal(inproc_dma_faults(h->ip), 0);
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
		inproc_run(h->ip);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
		/* The process sits in its send until this side has taken it */
		assert_int_equal(ring_put(&tx.r, &i, 1), 0);
		inproc_run(h->ip);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), -EAGAIN);
		assert_int_equal(take(&rx.r, buf), sizeof(i));
		assert_memory_equal(buf, &i, sizeof(i));
		inproc_run(h->ip);
		assert_int_equal(ring_taken(&tx.r, tx.r.pos), 0);
		assert_int_equal(take(&rx.r, buf), 1);
		inproc_run(h->ip);
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
		inproc_run(h->ip);
		assert_int_equal(irqs(&rx), 2 * i);
		fw_signal(h, CHAN_ID_TICK);
		inproc_run(h->ip);
		assert_int_equal(irqs(&rx), 2 * i + 1);
		/* Armed with a message unread: at once, and once */
		assert_int_equal(ring_arm(&rx.r), 1);
		inproc_run(h->ip);
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
	inproc_run(h->ip);
	assert_int_equal(irqs(&rx), 1);
	assert_int_equal(take(&rx.r, buf), 8);
	assert_int_equal(take(&rx.r, buf), -EPIPE);
}

/* What the library would never send: the card turns the pipe off. */
static void test_fault(void **state)
{
	struct fw_host *h = *state;
	struct end tx;

	end_open(&tx, h, 0, CHAN_ID_RV_IN, 12);
	*(uint32_t *)tx.ring = 4096;
	doorbell(&tx, RING_REG_DATA, 2);
	inproc_run(h->ip);
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
		cmocka_unit_test_setup_teardown(test_fault, fw_setup, fw_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
