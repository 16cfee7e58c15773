// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_inproc.c - the in-process host, and its DMA address map.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "board_fw.h"
#include "dma_map.h"
#include "inproc.h"

static int setup(void **state)
{
	*state = inproc_create(NULL, NULL, NULL);
	return !*state;
}

static int teardown(void **state)
{
	inproc_destroy(*state);
	return 0;
}

static void done(void *ctx, int status)
{
	*(int *)ctx = status;
}

static int card_dma(struct inproc *ip, bool to_host, uint64_t host, void *mem, uint32_t len)
{
	int status = 1;
	struct board_dma d = {
		.to_host = to_host, .purpose = BOARD_TLP_DATA, .host = host,
		.mem = mem, .len = len, .done = done, .ctx = &status,
	};

	assert_int_equal(board_dma_enqueue(inproc_board(ip), &d), 0);
	inproc_run(ip);
	return status;
}

static void memory_ends_where_it_ends(void **state)
{
	struct inproc *ip = *state;
	uint64_t a, b, w = 0x1122334455667788;
	uint8_t *mem = inproc_dma_alloc(ip, 5000, &a);

	assert_non_null(mem);
	assert_non_null(inproc_dma_alloc(ip, 4096, &b));
	assert_true(a >> 32 && !(a >> 40) && a % 4096 == 0);
	assert_int_equal(card_dma(ip, true, a + 4992, &w, 8), 0);
	assert_memory_equal(mem + 4992, &w, 8);
	assert_int_equal(inproc_dma_faults(ip), 0);
	assert_int_equal(card_dma(ip, true, a + 4996, &w, 8), -EFAULT);
	assert_int_equal(card_dma(ip, true, a - 4, &w, 8), -EFAULT);
	assert_int_equal(card_dma(ip, true, b - 8, &w, 8), -EFAULT);
	/* cut to 32 bits it must not hit anything either */
	assert_int_equal(card_dma(ip, true, (uint32_t)a, &w, 8), -EFAULT);
	assert_int_equal(inproc_dma_faults(ip), 4);
	inproc_dma_free(ip, a);
	assert_int_equal(card_dma(ip, true, a, &w, 8), -EFAULT);
	assert_int_equal(card_dma(ip, false, b, &w, 8), 0);
}

static void window_shows_sram_and_queues(void **state)
{
	struct inproc *ip = *state;
	uint8_t out[13] = "0123456789ab", in[13] = { 0 };
	uint32_t w = 0;

	assert_int_equal(inproc_window_open(ip), 0);
	inproc_write(ip, 0x8000, 0x1122334455667788, 8);
	assert_int_equal(board_sram_read(inproc_board(ip), 0x8004, &w, 4), 0);
	assert_int_equal(w, 0x11223344);
	assert_int_equal(inproc_read(ip, 0x8000, 4), 0x55667788);
	inproc_write_buf(ip, 0x9002, out, sizeof(out));
	inproc_read_buf(ip, 0x9002, in, sizeof(in));
	assert_memory_equal(in, out, sizeof(in));
	inproc_qc_add_wptr(ip, 200, 5);
	inproc_qc_add_wptr(ip, 200, 0x3ffff);
	assert_int_equal(board_qc_wptr(inproc_board(ip), 200), 4);
}

static void taken(void *arg, unsigned int vector)
{
	*(unsigned int *)arg = vector;
}

static void interrupts_wait_for_their_vector(void **state)
{
	struct inproc *ip = *state;
	unsigned int last = 0;

	assert_int_equal(board_msix(inproc_board(ip), 9), 0);
	inproc_run(ip);
	assert_int_equal(inproc_msix_count(ip, 9), 0);
	inproc_msix_arm(ip, 9, taken, &last);
	inproc_run(ip);
	assert_int_equal(inproc_msix_count(ip, 9), 1);
	assert_int_equal(last, 9);
	inproc_msix_disarm(ip, 9);
	assert_int_equal(board_msix(inproc_board(ip), 9), 0);
	inproc_run(ip);
	assert_int_equal(inproc_msix_count(ip, 9), 1);
}

/* Each of thousands of regions is found, and the gap behind it is not. */
static void map_stands_thousands_of_regions(void **state)
{
	static uint8_t mem[4096];
	struct dma_map m = { 0 };
	uint64_t w;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		/* in an order that is neither up nor down */
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

/* Neighbours of different memory and rights, up to the end of the addresses. */
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
		cmocka_unit_test_setup_teardown(memory_ends_where_it_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(window_shows_sram_and_queues, setup, teardown),
		cmocka_unit_test_setup_teardown(interrupts_wait_for_their_vector, setup, teardown),
		cmocka_unit_test(map_stands_thousands_of_regions),
		cmocka_unit_test(map_splits_at_borders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
