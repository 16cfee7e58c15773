// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_store.c - stores that PROTOCOL.rst does not allow. The card logs the store, and the
 * PCIe function stops working until it is reset.
 */
#define _GNU_SOURCE
#include <unistd.h>
#include "host.h"

#define INLINE_PAGE	0x9000
#define VALUE		0x1122334455667788ull
#define VECTOR		7

static const struct {
	uint32_t off;
	size_t len;
	const char *says;
} bad[] = {
	{ QC(200, ADD_RPTR), 4, "4 bytes, 0x55667788, to queue controller 200, register 0 (ADD_RPTR)" },
	{ QC(200, STS_LO), 4, "4 bytes, 0x55667788, to queue controller 200, register 0x8 (STS_LO)" },
	{ QC(193, STS_HI), 4, "4 bytes, 0x55667788, to queue controller 193, register 0xc (STS_HI)" },
	{ QC(200, 0x10), 4, "4 bytes, 0x55667788, to queue controller 200, register 0x10 (configuration)" },
	{ QC(255, 0x7fc), 4, "queue controller 255, register 0x7fc (configuration)" },
	{ QC(2, ADD_RPTR), 4, "queue controller 2, register 0 (ADD_RPTR)" },
	{ QC(200, ADD_WPTR), 1, "1 bytes, 0x88, to queue controller 200, register 0x4 (ADD_WPTR)" },
	{ QC(200, ADD_WPTR), 2, "2 bytes, 0x7788, to queue controller 200, register 0x4 (ADD_WPTR)" },
	{ QC(200, ADD_WPTR), 8, "8 bytes, 0x1122334455667788, to queue controller 200, register 0x4" },
	{ QC(200, ADD_RPTR), 8, "8 bytes, 0x1122334455667788, to queue controller 200, register 0" },
	{ QC(200, 6), 4, "4 bytes, 0x55667788, to queue controller 200, register 0x6 (ADD_WPTR)" },
	{ INLINE_PAGE, 1, "1 bytes, 0x88, to SRAM at 0x9000" },
	{ INLINE_PAGE, 2, "2 bytes, 0x7788, to SRAM at 0x9000" },
	{ INLINE_PAGE, 8, "8 bytes, 0x1122334455667788, to SRAM at 0x9000" },
	{ INLINE_PAGE + 2, 4, "4 bytes, 0x55667788, to SRAM at 0x9002" },
};

static void store(struct host *h, unsigned int i)
{
	bar_write(h, 4, PCIE(bad[i].off), VALUE, bad[i].len);
}

/* Do bad store @i, and return the card's log of it. */
static void store_logged(struct host *h, unsigned int i, char *log, size_t size)
{
	FILE *file = tmpfile();
	int err = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(file);
	assert_true(err >= 0);
	dup2(fileno(file), STDERR_FILENO);
	store(h, i);
	dup2(err, STDERR_FILENO);
	close(err);
	rewind(file);
	n = fread(log, 1, size - 1, file);
	log[n] = '\0';
	fclose(file);
}

static void assert_lost(struct host *h)
{
	uint8_t word[8] = { 0 };
	struct board_dma dma = {
		.to_host = true, .purpose = BOARD_TLP_DATA, .host = HOST_BASE, .mem = word,
		.len = sizeof(word),
	};

	assert_int_equal(pcie_read(h, QC(200, STS_HI)), UINT32_MAX);
	assert_int_equal(bar_read(h, 0, 0x30000, 4), UINT32_MAX);
	assert_int_equal(cfg_read(h, 0, 4), UINT32_MAX);
	h->mem[0] = 0x5a;
	assert_int_equal(board_dma_enqueue(h->b, &dma), 0);
	board_msix(h->b, VECTOR);
	host_run(h);
	assert_int_equal(h->mem[0], 0x5a);
	assert_int_equal(h->irqs[VECTOR], 0);
}

static void bad_stores(void **state)
{
	struct host *h = *state;
	char log[512];

	host_arm(h, VECTOR, true);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		store_logged(h, i, log, sizeof(log));
		print_message("# %s", log);
		assert_non_null(strstr(log, "error: store of "));
		assert_non_null(strstr(log, bad[i].says));
		assert_lost(h);
		/* A reset makes the function work again. The store has changed nothing. */
		host_reset(h, BOARD_RESET_FLR);
		assert_int_equal(board_qc_wptr(h->b, 200) | board_qc_rptr(h->b, 200), 0);
		assert_int_equal(pcie_read(h, INLINE_PAGE), 0);
	}
}

static void good_stores(void **state)
{
	struct host *h = *state;

	qc_add_wptr(h, 200, 5);
	qc_add_wptr(h, 193, 0x3ffff);
	pcie_write(h, INLINE_PAGE, 1);
	pcie_write(h, INLINE_PAGE + 4092, 2);
	assert_int_equal(pcie_read(h, QC(200, STS_HI)) & 0x3ffff, 5);
	assert_int_equal(pcie_read(h, QC(193, STS_HI)) & 0x3ffff, 0x3ffff);
	assert_int_equal(pcie_read(h, INLINE_PAGE), 1);
	assert_int_equal(pcie_read(h, INLINE_PAGE + 4092), 2);
}

/* With stores=lenient, a 32-bit register takes its 32 bits from a wider store. */
static void lenient(void **state)
{
	struct host *h = *state;
	char err[160];

	assert_int_equal(board_set(h->b, "stores", "kind", err, sizeof(err)), -EINVAL);
	host_set(h, "stores", "lenient");
	/* One 64-bit store to ADD_RPTR and ADD_WPTR is done as two 32-bit commands. */
	bar_write(h, 4, PCIE(QC(200, 0)), 4ull << 32 | 3, 8);
	assert_int_equal(board_qc_rptr(h->b, 200), 3);
	assert_int_equal(board_qc_wptr(h->b, 200), 4);
	/* Stores to a part of a register do nothing. */
	bar_write(h, 4, PCIE(QC(200, 4)), 1, 1);
	bar_write(h, 4, PCIE(QC(200, 4)), 1, 2);
	bar_write(h, 4, PCIE(QC(200, 6)), 1, 2);
	bar_write(h, 4, PCIE(QC(200, 6)), 1, 4);
	assert_int_equal(board_qc_wptr(h->b, 200), 4);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		store(h, i);
	assert_int_equal(cfg_read(h, 0, 2), 0x19ee);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bad_stores, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(good_stores, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(lenient, host_setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
