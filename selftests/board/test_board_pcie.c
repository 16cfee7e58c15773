// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_pcie.c - queue controllers, DMA engine, MSI-X and MU rings of the emulated card, as
 * firmware and the host see them.
 */
#include <linux/pci_regs.h>
#include "host.h"

struct events {
	unsigned int count[256];
};

static void qc_event(void *ctx, unsigned int queue)
{
	struct events *e = ctx;

	assert_in_range(queue, 0, 255);
	e->count[queue]++;
}

static const struct board_fw fw = { .qc_event = qc_event };
static struct events events;

static int setup(void **state)
{
	memset(&events, 0, sizeof(events));
	*state = host_create(&fw, &events);
	return 0;
}

/* ---- queue controllers ---- */

static void test_qc_pointers(void **state)
{
	struct host *h = *state;

	host_set(h, "stores", "lenient");
	assert_int_equal(pcie_read(h, QC(200, STS_LO)), 1u << 26);	/* empty */
	pcie_write(h, QC(200, ADD_WPTR), 5);
	assert_int_equal(board_qc_wptr(h->b, 200), 5);
	assert_int_equal(pcie_read(h, QC(200, STS_HI)) & 0x0403ffff, 5);
	board_qc_add_rptr(h->b, 200, 3);
	assert_int_equal(pcie_read(h, QC(200, STS_LO)) & 0x0403ffff, 3);
	pcie_write(h, QC(200, ADD_RPTR), 2);
	assert_int_equal(pcie_read(h, QC(200, STS_LO)) & 0x0403ffff, 1u << 26 | 5);
	/* A pointer has 18 bits. */
	pcie_write(h, QC(200, ADD_WPTR), 0x3fffb);
	assert_int_equal(board_qc_wptr(h->b, 200), 0);
	pcie_write(h, QC(200, ADD_WPTR), 0xfffc0001);
	assert_int_equal(board_qc_wptr(h->b, 200), 1);
	/* Writes do not change neighbouring queues, the last queue, or status registers. */
	pcie_write(h, QC(255, ADD_WPTR), 7);
	pcie_write(h, QC(255, STS_HI), 0);
	assert_int_equal(board_qc_wptr(h->b, 255), 7);
	assert_int_equal(board_qc_wptr(h->b, 199) | board_qc_wptr(h->b, 201), 0);
	assert_int_equal(board_qc_wptr(h->b, 256), 0);
	board_qc_init(h->b, 255, false);
	assert_int_equal(board_qc_wptr(h->b, 255), 0);
}

static void test_qc_events(void **state)
{
	struct host *h = *state;

	board_qc_init(h->b, 200, true);
	board_qc_init(h->b, 255, true);
	pcie_write(h, QC(200, ADD_WPTR), 1);
	assert_int_equal(events.count[200], 0);		/* board_run() delivers events */
	pcie_write(h, QC(200, ADD_WPTR), 1);
	pcie_write(h, QC(255, ADD_WPTR), 1);
	pcie_write(h, QC(201, ADD_WPTR), 1);		/* this queue has no events */
	host_run(h);
	assert_int_equal(events.count[200], 1);		/* two writes, one event */
	assert_int_equal(events.count[255], 1);
	assert_int_equal(events.count[201], 0);
	host_run(h);
	assert_int_equal(events.count[200], 1);
	/* A further write causes a further event, even if the queue is not empty. */
	pcie_write(h, QC(200, ADD_WPTR), 1);
	host_run(h);
	assert_int_equal(events.count[200], 2);
	/* Initializing a queue drops the event that was due. */
	pcie_write(h, QC(200, ADD_WPTR), 1);
	board_qc_init(h->b, 200, true);
	host_run(h);
	assert_int_equal(events.count[200], 2);
}

static void test_mmio_counts(void **state)
{
	struct host *h = *state;
	struct board_tlp_count c;

	board_tlp_clear(h->b);
	pcie_write(h, QC(200, ADD_WPTR), 1);
	pcie_read(h, QC(200, STS_LO));
	pcie_write(h, 0x8000, 1);
	bar_read(h, 4, 2 * SLICE4 + 0x8008, 8);
	bar_read(h, 0, 0x30000, 4);
	c = host_tlp(h, BOARD_TLP_DOORBELL);
	assert_int_equal(c.host_posted, 1);
	assert_int_equal(c.host_nonposted, 1);
	assert_int_equal(c.completions, 1);
	assert_int_equal(c.payload, 8);
	assert_int_equal(c.overhead, 24 + 24 + 20);
	c = host_tlp(h, BOARD_TLP_SRAM);
	assert_int_equal(c.host_posted, 1);
	assert_int_equal(c.host_nonposted, 1);
	assert_int_equal(c.payload, 12);
	c = host_tlp(h, BOARD_TLP_MMIO);
	assert_int_equal(c.host_nonposted, 1);
}

/* ---- DMA ---- */

static uint8_t buf[65536];	/* data that no test checks */

struct done {
	struct host *h;
	unsigned int tag;
	struct board_dma again;	/* the callback enqueues it, if it has a length */
};

static void dma_done(void *ctx, int status)
{
	struct done *d = ctx;

	host_log(d->h, HOST_DONE, (uint64_t)status, d->tag);
	if (d->again.len)
		assert_int_equal(board_dma_enqueue(d->h->b, &d->again), 0);
}

static int push(struct done *d, bool to_host, uint64_t addr, void *mem, uint32_t len)
{
	struct board_dma dma = {
		.to_host = to_host, .purpose = BOARD_TLP_DATA, .host = addr,
		.mem = mem, .len = len, .done = dma_done, .ctx = d,
	};

	return board_dma_enqueue(d->h->b, &dma);
}

static void assert_event(struct host *h, unsigned int i, enum host_event what,
			 uint64_t addr, size_t len)
{
	assert_true(i < h->logged);
	assert_int_equal(h->log[i].what, what);
	assert_int_equal(h->log[i].addr, addr);
	assert_int_equal(h->log[i].len, len);
}

static void test_dma_order(void **state)
{
	struct host *h = *state;
	struct done a = { h, 1, { 0 } }, b = { h, 2, { 0 } }, c = { h, 3, { 0 } };
	uint8_t out[16] = "to the host", in[16] = { 0 };

	a.again = (struct board_dma){
		.to_host = false, .host = HOST_BASE, .mem = in, .len = 12,
		.done = dma_done, .ctx = &c,
	};
	assert_int_equal(push(&a, true, HOST_BASE, out, 12), 0);
	assert_int_equal(push(&b, true, HOST_BASE + 64, out, 12), 0);
	assert_int_equal(h->logged, 0);			/* board_run() does the DMA later */
	assert_int_equal(h->mem[0], 0);
	host_run(h);
	assert_event(h, 0, HOST_WRITE, HOST_BASE, 12);
	assert_event(h, 1, HOST_DONE, 0, 1);
	assert_event(h, 2, HOST_WRITE, HOST_BASE + 64, 12);
	assert_event(h, 3, HOST_DONE, 0, 2);
	assert_event(h, 4, HOST_READ, HOST_BASE, 12);
	assert_event(h, 5, HOST_DONE, 0, 3);
	assert_int_equal(h->logged, 6);
	assert_string_equal((char *)h->mem, "to the host");
	assert_string_equal((char *)in, "to the host");
}

static void test_dma_budget(void **state)
{
	struct host *h = *state;
	struct done d = { h, 0, { 0 } };

	for (unsigned int i = 0; i < 256; i++)
		assert_int_equal(push(&d, true, HOST_BASE, buf, 8), 0);
	assert_int_equal(push(&d, true, HOST_BASE, buf, 8), -ENOSPC);
	assert_true(board_run(h->b, 10));
	assert_int_equal(h->logged, 20);
	assert_int_equal(push(&d, true, HOST_BASE, buf, 8), 0);
	host_run(h);
	assert_int_equal(h->logged, 2 * 257);
	assert_int_equal(push(&d, true, HOST_BASE, buf, 0), -EINVAL);
	assert_int_equal(push(&d, true, HOST_BASE, NULL, 8), -EINVAL);
}

static void test_dma_faults(void **state)
{
	struct host *h = *state;
	struct done d = { h, 9, { 0 } };

	push(&d, true, HOST_BASE + HOST_SIZE - 8, buf, 64);
	push(&d, false, UINT64_MAX - 4, buf, 64);
	host_run(h);
	assert_event(h, 1, HOST_DONE, (uint64_t)-EFAULT, 9);
	assert_event(h, 2, HOST_DONE, (uint64_t)-EFAULT, 9);
	/* Without bus mastering the card sends no request. */
	cfg_write(h, 4, 0x2, 2);
	h->logged = 0;
	board_tlp_clear(h->b);
	push(&d, true, HOST_BASE, buf, 64);
	host_run(h);
	assert_int_equal(h->logged, 1);
	assert_event(h, 0, HOST_DONE, (uint64_t)-EFAULT, 9);
	assert_int_equal(host_tlp(h, BOARD_TLP_DATA).dev_posted, 0);
	/* DMA fails if no host is attached. */
	cfg_write(h, 4, 0x6, 2);
	board_attach(h->b, NULL, NULL);
	h->logged = 0;
	push(&d, true, HOST_BASE, buf, 64);
	host_run(h);
	assert_event(h, 0, HOST_DONE, (uint64_t)-EFAULT, 9);
}

/* A reset drops queued DMA, because the firmware that queued it is gone. */
static void test_dma_reset(void **state)
{
	struct host *h = *state;
	struct done d = { h, 9, { 0 } };

	push(&d, true, HOST_BASE, buf, 64);
	board_reset(h->b, BOARD_RESET_POWER);
	host_run(h);
	assert_int_equal(h->logged, 0);
}

static void test_dma_splitting(void **state)
{
	static const struct {
		bool to_host;
		uint64_t addr;
		uint32_t len;
		unsigned int requests, completions;
	} t[] = {
		{ true, 0, 1, 1, 0 },
		{ true, 0, 256, 1, 0 },
		{ true, 0, 257, 2, 0 },
		{ true, 128, 256, 2, 0 },	/* a write is split at multiples of MPS */
		{ true, 4096 - 8, 16, 2, 0 },	/* a write is split at 4 KiB */
		{ true, 0, 4096, 16, 0 },
		{ false, 0, 4, 1, 1 },
		{ false, 0, 512, 1, 2 },
		{ false, 0, 513, 2, 3 },
		{ false, 0x20, 512, 2, 3 },	/* a completion ends at a multiple of 64 */
		{ false, 0x40, 256, 1, 1 },
		{ false, 4096 - 32, 64, 2, 2 },
		{ false, 0x1fc, 63, 2, 2 },
		{ false, 0, 65536, 128, 256 },
	};
	struct host *h = *state;
	struct done d = { h, 0, { 0 } };

	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct board_tlp_count c;

		board_tlp_clear(h->b);
		push(&d, t[i].to_host, HOST_BASE + t[i].addr, buf, t[i].len);
		host_run(h);
		c = host_tlp(h, BOARD_TLP_DATA);
		assert_int_equal(t[i].to_host ? c.dev_posted : c.dev_nonposted, t[i].requests);
		assert_int_equal(t[i].to_host ? c.dev_nonposted : c.dev_posted, 0);
		assert_int_equal(c.completions, t[i].completions);
		assert_int_equal(c.payload, t[i].len);
		assert_int_equal(c.overhead, 24 * t[i].requests + 20 * t[i].completions);
	}
}

/* The card's read requests have the size that the host allows in Device Control, bits 14:12. */
static void test_dma_read_requests(void **state)
{
	static const unsigned int requests[8] = { 32, 16, 8, 4, 2, 1, 1, 1 };
	struct host *h = *state;
	struct done d = { h, 0, { 0 } };
	unsigned int ctl = host_find_cap(h, PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL;

	for (unsigned int i = 0; i < 8; i++) {
		struct board_tlp_count c;

		cfg_write(h, ctl, i << 12, 2);
		board_tlp_clear(h->b);
		push(&d, false, HOST_BASE, buf, 4096);
		host_run(h);
		c = host_tlp(h, BOARD_TLP_DATA);
		assert_int_equal(c.dev_nonposted, requests[i]);
		/* A completion has up to 256 bytes, and belongs to one request. */
		assert_int_equal(c.completions, requests[i] > 16 ? requests[i] : 16);
	}
	board_reset(h->b, BOARD_RESET_FLR);
	assert_int_equal(cfg_read(h, ctl, 2) >> 12, 2);
}

/* ---- MSI-X ---- */

static uint32_t pending_bits(struct host *h, unsigned int word)
{
	return bar_read(h, 0, 0x01100190 + 4 * word, 4);
}

static void test_msix_behind_dma(void **state)
{
	struct host *h = *state;
	struct done d = { h, 1, { 0 } };

	host_arm(h, 7, true);
	push(&d, true, HOST_BASE, buf, 8);
	assert_int_equal(board_msix(h->b, 7), 0);
	push(&d, true, HOST_BASE + 8, buf, 8);
	assert_int_equal(h->irqs[7], 0);
	host_run(h);
	assert_event(h, 0, HOST_WRITE, HOST_BASE, 8);
	assert_event(h, 1, HOST_MSIX, 7, 0);
	assert_event(h, 3, HOST_WRITE, HOST_BASE + 8, 8);
	assert_int_equal(h->irqs[7], 1);
	/* With no DMA before it, an MSI-X message is sent at once. */
	board_msix(h->b, 7);
	assert_int_equal(h->irqs[7], 2);
	assert_int_equal(board_msix(h->b, 256), -EINVAL);
}

/*
 * Interrupts are requested while an earlier request waits for DMA. The last DMA is followed by an
 * interrupt.
 */
static void test_msix_again(void **state)
{
	struct host *h = *state;
	struct done d = { h, 1, { 0 } };
	unsigned int i, last = 0;

	host_arm(h, 7, true);
	for (i = 0; i < 5; i++) {
		push(&d, true, HOST_BASE + 8 * i, buf, 8);
		board_msix(h->b, 7);
	}
	host_run(h);
	for (i = 0; i < h->logged; i++) {
		if (h->log[i].what == HOST_MSIX)
			last = i;
	}
	assert_event(h, 0, HOST_WRITE, HOST_BASE, 8);
	assert_event(h, 1, HOST_MSIX, 7, 0);
	/* An interrupt follows the last write. */
	assert_int_equal(h->log[last - 1].what, HOST_WRITE);
	assert_int_equal(h->log[last - 1].addr, HOST_BASE + 32);
	assert_in_range(h->irqs[7], 2, 5);
}

static void test_msix_pending(void **state)
{
	struct host *h = *state;
	struct board_tlp_count c;

	board_tlp_clear(h->b);
	board_msix(h->b, 33);
	board_msix(h->b, 33);
	host_run(h);
	assert_int_equal(pending_bits(h, 1), 2);
	assert_int_equal(host_tlp(h, BOARD_TLP_MSIX).dev_posted, 0);
	host_arm(h, 34, true);			/* unmasking another vector sends nothing */
	assert_int_equal(h->irqs[33], 0);
	host_arm(h, 33, true);
	assert_int_equal(h->irqs[33], 1);	/* one message, though two were requested */
	assert_int_equal(pending_bits(h, 1), 0);
	c = host_tlp(h, BOARD_TLP_MSIX);
	assert_int_equal(c.dev_posted, 1);
	assert_int_equal(c.payload, 4);
	assert_int_equal(c.overhead, 24);
	host_arm(h, 33, false);
	host_arm(h, 33, true);
	assert_int_equal(h->irqs[33], 1);
	/* After the vector is masked again, a request waits. */
	host_arm(h, 33, false);
	board_msix(h->b, 33);
	assert_int_equal(pending_bits(h, 1), 2);
	/* board_msix_drop() drops the waiting request: the vector's owner has closed. */
	board_msix_drop(h->b, 33);
	assert_int_equal(pending_bits(h, 1), 0);
	host_arm(h, 33, true);
	assert_int_equal(h->irqs[33], 1);
	board_msix_armed(h->b, 999, true);
	board_msix_drop(h->b, 999);
}

static void test_msix_drop_queued(void **state)
{
	struct host *h = *state;
	struct done d = { h, 1, { 0 } };

	host_arm(h, 7, true);
	push(&d, true, HOST_BASE, buf, 8);
	board_msix(h->b, 7);
	board_msix_drop(h->b, 7);
	host_run(h);
	assert_int_equal(h->irqs[7], 0);
}

static void test_msix_needs_master(void **state)
{
	struct host *h = *state;

	host_arm(h, 7, true);
	cfg_write(h, 4, 0x2, 2);
	board_msix(h->b, 7);
	assert_int_equal(h->irqs[7], 0);
	assert_int_equal(pending_bits(h, 0), 1u << 7);
	cfg_write(h, 4, 0x6, 2);
	assert_int_equal(h->irqs[7], 1);
	assert_int_equal(pending_bits(h, 0), 0);
}

/* ---- MU rings ---- */

#define RING_ADDR	0x1000000ull

static void test_ring(void **state)
{
	struct host *h = *state;
	uint32_t w[4] = { 1, 2, 3, 4 }, got[4] = { 0 };

	assert_int_equal(board_ring_put(h->b, 3, w, 4), -ENOENT);
	assert_int_equal(board_ring_get(h->b, 3, got, 4), -ENOENT);
	assert_int_equal(board_ring_init(h->b, 3, RING_ADDR, 512), 0);
	assert_int_equal(board_ring_get(h->b, 3, got, 1), -EAGAIN);
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 128; i++) {
			w[0] = 1000 * round + i;
			assert_int_equal(board_ring_put(h->b, 3, w, 4), 0);
		}
		assert_int_equal(board_ring_put(h->b, 3, w, 1), -ENOSPC);
		for (unsigned int i = 0; i < 128; i++) {
			assert_int_equal(board_ring_get(h->b, 3, got, 4), 0);
			assert_int_equal(got[0], 1000 * round + i);
			assert_int_equal(got[3], 4);
		}
		/* A get takes as many words as it asks for, or none. */
		board_ring_put(h->b, 3, w, 3);
		assert_int_equal(board_ring_get(h->b, 3, got, 4), -EAGAIN);
		assert_int_equal(board_ring_get(h->b, 3, got, 3), 0);
	}
}

static void test_ring_refusals(void **state)
{
	struct host *h = *state;
	uint32_t w[4] = { 0 };

	assert_int_equal(board_ring_init(h->b, 1024, RING_ADDR, 512), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, RING_ADDR, 256), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, RING_ADDR, 768), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, RING_ADDR + 1024, 512), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, 0x7800000000ull, 512), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, 0, 32u << 20), -EINVAL);
	assert_int_equal(board_ring_put(h->b, 1024, w, 4), -EINVAL);
	assert_int_equal(board_ring_get(h->b, 1024, w, 4), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 3, RING_ADDR, 512), 0);
	assert_int_equal(board_ring_put(h->b, 3, w, 513), -EINVAL);
	assert_int_equal(board_ring_put(h->b, 3, w, 0), -EINVAL);
}

/* The host accesses a ring by its number in the address. The action is get, pop or journal. */
static uint32_t ring_cmd(struct host *h, unsigned int action, unsigned int token)
{
	csr_write(h, 7, 0x03800000 | action << 16 | token << 21);
	return bar_read(h, 0, 7 * SLICE0 + 4, 4);
}

static void test_ring_commands(void **state)
{
	struct host *h = *state;
	uint32_t w[3] = { 10, 20, 30 }, got;

	assert_int_equal(board_ring_init(h->b, 4, RING_ADDR, 512), 0);
	board_ring_put(h->b, 4, w, 3);
	assert_int_equal(ring_cmd(h, 21, 0), 10);	/* get: the oldest word */
	assert_int_equal(ring_cmd(h, 22, 0), 30);	/* pop: the newest word */
	assert_int_equal(ring_cmd(h, 21, 2), 20);
	assert_int_equal(ring_cmd(h, 21, 2), 0);	/* the ring is empty */
	assert_int_equal(ring_cmd(h, 22, 0), 0);
	/* A full journal overwrites its oldest words. */
	csr_write(h, 7, 0x03800000 | 20 << 16 | 2 << 21);
	for (unsigned int i = 0; i < 600; i++)
		bar_write(h, 0, 7 * SLICE0 + 4, i, 4);
	assert_int_equal(board_ring_get(h->b, 4, &got, 1), 0);
	assert_int_equal(got, 600 - 512);
}

/* ---- work queues ---- */

static unsigned int woken[8], wakes;

static void wake(const struct board_thread *t)
{
	assert_ptr_equal(t->ctx, woken);
	woken[wakes++] = t->tag;
}

static int thread(struct host *h, unsigned int ring, uint32_t *data, unsigned int n,
		  unsigned int tag)
{
	struct board_thread t = { .data = data, .n = n, .done = wake, .ctx = woken, .tag = tag };

	return board_workq_thread(h->b, ring, &t);
}

/* The oldest work goes to the oldest waiting thread, whether work or thread came first. */
static void test_workq(void **state)
{
	uint32_t w[2] = { 1, 2 }, a[2] = { 0 }, c[2] = { 0 };
	struct host *h = *state;

	wakes = 0;
	assert_int_equal(board_workq_work(h->b, 5, w, 2), -ENOENT);
	assert_int_equal(thread(h, 5, a, 2, 1), -ENOENT);
	assert_int_equal(thread(h, 1024, a, 2, 1), -EINVAL);
	assert_int_equal(board_ring_init(h->b, 5, RING_ADDR, 512), 0);
	assert_int_equal(thread(h, 5, a, 0, 1), -EINVAL);
	assert_int_equal(board_workq_work(h->b, 5, w, 2), 0);
	w[0] = 3;
	assert_int_equal(board_workq_work(h->b, 5, w, 2), 0);
	assert_int_equal(thread(h, 5, a, 2, 7), 0);
	assert_int_equal(wakes, 1);
	assert_int_equal(woken[0], 7);
	assert_int_equal(a[0], 1);
	assert_int_equal(thread(h, 5, a, 2, 8), 0);
	assert_int_equal(a[0], 3);
	/* The queue has no work. Threads wait in the order in which they came. */
	assert_int_equal(thread(h, 5, a, 2, 1), 0);
	assert_int_equal(thread(h, 5, c, 2, 2), 0);
	assert_int_equal(wakes, 2);
	w[0] = 4;
	assert_int_equal(board_workq_work(h->b, 5, w, 1), -EINVAL);
	assert_int_equal(board_workq_work(h->b, 5, w, 2), 0);
	assert_int_equal(woken[2], 1);
	assert_int_equal(a[0], 4);
	assert_int_equal(c[0], 0);
	board_reset(h->b, BOARD_RESET_POWER);
	assert_int_equal(board_ring_init(h->b, 5, RING_ADDR, 512), 0);
	assert_int_equal(board_workq_work(h->b, 5, w, 2), 0);
	assert_int_equal(wakes, 3);
}

static void test_workq_full(void **state)
{
	struct host *h = *state;
	uint32_t w = 0, i, got;

	wakes = 0;
	assert_int_equal(board_ring_init(h->b, 5, RING_ADDR, 512), 0);
	for (i = 0; i < 512; i++)
		assert_int_equal(board_workq_work(h->b, 5, &w, 1), 0);
	assert_int_equal(board_workq_work(h->b, 5, &w, 1), -ENOSPC);
	assert_int_equal(board_ring_init(h->b, 5, RING_ADDR, 512), 0);
	for (i = 0; !thread(h, 5, &got, 1, i); i++)
		assert_in_range(i, 0, 1000);
	assert_in_range(i, 16, 1000);
	assert_int_equal(thread(h, 5, &got, 1, i), -ENOSPC);
	assert_int_equal(wakes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_qc_pointers, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_qc_events, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_mmio_counts, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_order, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_budget, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_faults, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_reset, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_splitting, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_dma_read_requests, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_behind_dma, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_again, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_pending, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_drop_queued, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_needs_master, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_ring, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_workq, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_workq_full, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_ring_refusals, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_ring_commands, setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
