// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_host.c - test the host that the unit tests use (selftests/rig/card/host.c), and its map of
  * DMA addresses (dma_map.c).
 */
#include "host.h"

static void done(void *ctx, int status)
{
	*(int *)ctx = status;
}

static int card_dma(struct host *h, bool to_host, uint64_t host, void *mem, uint32_t len)
{
	int status = 1;
	struct board_dma d = {
		.to_host = to_host, .purpose = BOARD_TLP_DATA, .host = host,
		.mem = mem, .len = len, .done = done, .ctx = &status,
	};

	assert_int_equal(board_dma_enqueue(h->b, &d), 0);
	host_run(h);
	return status;
}

static void memory_ends_where_it_ends(void **state)
{
	struct host *h = *state;
	uint64_t a, b, w = 0x1122334455667788;
	uint8_t *mem = host_dma_alloc(h, 5000, &a);

	assert_non_null(mem);
	assert_non_null(host_dma_alloc(h, 4096, &b));
	assert_true(a >> 32 && !(a >> 40) && a % 4096 == 0);
	assert_int_equal(card_dma(h, true, a + 4992, &w, 8), 0);
	assert_memory_equal(mem + 4992, &w, 8);
	assert_int_equal(h->faults, 0);
	assert_int_equal(card_dma(h, true, a + 4996, &w, 8), -EFAULT);
	assert_int_equal(card_dma(h, true, a - 4, &w, 8), -EFAULT);
	assert_int_equal(card_dma(h, true, b - 8, &w, 8), -EFAULT);
	/* An address truncated to 32 bits must not reach memory. */
	assert_int_equal(card_dma(h, true, (uint32_t)a, &w, 8), -EFAULT);
	assert_int_equal(h->faults, 4);
	host_dma_free(h, a);
	assert_int_equal(card_dma(h, true, a, &w, 8), -EFAULT);
	assert_int_equal(card_dma(h, false, b, &w, 8), 0);
}

static void window_shows_sram_and_queues(void **state)
{
	struct host *h = *state;
	uint8_t out[13] = "0123456789ab", in[13] = { 0 };
	uint32_t w = 0;

	host_set(h, "stores", "lenient");
	bar_write(h, 4, PCIE(0x8000), 0x1122334455667788, 8);
	assert_int_equal(board_sram_read(h->b, 0x8004, &w, 4), 0);
	assert_int_equal(w, 0x11223344);
	assert_int_equal(pcie_read(h, 0x8000), 0x55667788);
	pcie_write_buf(h, 0x9002, out, sizeof(out));
	pcie_read_buf(h, 0x9002, in, sizeof(in));
	assert_memory_equal(in, out, sizeof(in));
	qc_add_wptr(h, 200, 5);
	qc_add_wptr(h, 200, 0x3ffff);
	assert_int_equal(board_qc_wptr(h->b, 200), 4);
}

static void taken(void *arg, unsigned int vector)
{
	*(unsigned int *)arg = vector;
}

static void interrupts_wait_for_their_vector(void **state)
{
	struct host *h = *state;
	unsigned int last = 0;

	assert_int_equal(board_msix(h->b, 9), 0);
	host_run(h);
	assert_int_equal(h->irqs[9], 0);
	host_on_irq(h, 9, taken, &last);
	host_run(h);
	assert_int_equal(h->irqs[9], 1);
	assert_int_equal(last, 9);
	host_arm(h, 9, false);
	assert_int_equal(board_msix(h->b, 9), 0);
	host_run(h);
	assert_int_equal(h->irqs[9], 1);
}

/* Each of 5000 regions is reachable, and the gap after each region is not. */
static void map_stands_thousands_of_regions(void **state)
{
	static uint8_t mem[4096];
	struct dma_map m = { 0 };
	uint64_t w;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		/* Add the regions in an order that is neither ascending nor descending. */
		uint64_t addr = (i * 7919 % 5000) * 8192;

		assert_int_equal(dma_map_add(&m, addr, 4096, mem, 3), 0);
	}
	assert_int_equal(dma_map_add(&m, 4999 * 8192 + 4000, 8, mem, 3), -EEXIST);
	for (uint64_t i = 0; i < 5000; i++) {
		assert_int_equal(dma_map_read(&m, i * 8192 + 4088, &w, 8), 0);
		assert_int_equal(dma_map_read(&m, i * 8192 + 4089, &w, 8), -EFAULT);
	}
	for (uint64_t i = 0; i < 5000; i += 2)
		dma_map_del(&m, dma_map_find(&m, i * 8192, 4096));
	assert_int_equal(dma_map_read(&m, 8192, &w, 8), 0);
	assert_int_equal(dma_map_read(&m, 16384, &w, 8), -EFAULT);
	assert_int_equal(m.count, 2500);
	dma_map_free(&m);
}

/* Adjacent regions with different memory and access rights, up to the last address */
static void map_splits_at_borders(void **state)
{
	uint8_t a[64] __attribute__((aligned(8))), b[64], buf[200];
	struct dma_map m = { 0 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(buf); i++)
		buf[i] = i;
	assert_int_equal(dma_map_add(&m, -64ull, 64, a, DMA_MAP_WRITE), 0);
	assert_int_equal(dma_map_add(&m, -128ull, 64, b, 3), 0);
	assert_int_equal(dma_map_add(&m, -192ull, 64, NULL, 3), 0);
	assert_int_equal(dma_map_add(&m, -8ull, 9, a, 3), -EINVAL);
	assert_int_equal(dma_map_add(&m, 0, 0, a, 3), -EINVAL);
	assert_int_equal(dma_map_write(&m, -127ull, buf, 127), 0);
	assert_memory_equal(b + 1, buf, 63);
	assert_memory_equal(a, buf + 63, 64);
	assert_int_equal(dma_map_write(&m, -127ull, buf, 128), -EFAULT);
	assert_int_equal(dma_map_write(&m, -129ull, buf, 2), -EFAULT);
	assert_int_equal(dma_map_read(&m, -128ull, buf, 64), 0);
	assert_int_equal(dma_map_read(&m, -128ull, buf, 65), -EFAULT);
	assert_int_equal(dma_map_read(&m, 5, buf, 0), 0);
	dma_map_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_ends_where_it_ends, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(window_shows_sram_and_queues, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(interrupts_wait_for_their_vector, host_setup, host_teardown),
		cmocka_unit_test(map_stands_thousands_of_regions),
		cmocka_unit_test(map_splits_at_borders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
