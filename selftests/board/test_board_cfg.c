// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_cfg.c - the emulated card's PCI configuration space and options.
 */
#include "host.h"

static void test_ids(void **state)
{
	struct host *h = *state;

	assert_int_equal(cfg_read(h, 0x00, 4), 0x400019ee);
	assert_int_equal(cfg_read(h, 0x08, 4), 0x02000000);
	assert_int_equal(cfg_read(h, 0x2c, 4), 0x400119ee);
	/* read only */
	cfg_write(h, 0x00, 0, 4);
	assert_int_equal(cfg_read(h, 0x00, 4), 0x400019ee);
}

static void test_bar_sizing(void **state)
{
	static const uint32_t size[3] = { 128u << 20, 64u << 20, 16u << 20 };
	struct host *h = *state;

	for (unsigned int i = 0; i < 3; i++) {
		cfg_write(h, 0x10 + 8 * i, 0xffffffff, 4);
		cfg_write(h, 0x14 + 8 * i, 0xffffffff, 4);
		/* 64 bit, prefetchable */
		assert_int_equal(cfg_read(h, 0x10 + 8 * i, 4), (uint32_t)-size[i] | 0xc);
		assert_int_equal(cfg_read(h, 0x14 + 8 * i, 4), 0xffffffff);
		cfg_write(h, 0x10 + 8 * i, 0xf8000000, 4);
		assert_int_equal(cfg_read(h, 0x10 + 8 * i, 4), 0xf800000c);
		assert_int_equal(board_bar_size(h->b, 2 * i), size[i]);
		assert_int_equal(board_bar_size(h->b, 2 * i + 1), 0);
	}
	assert_int_equal(board_bar_size(h->b, 6), 0);
	assert_int_equal(board_bar_size(h->b, 1000), 0);
}

static void test_capabilities(void **state)
{
	struct host *h = *state;
	unsigned int exp;

	assert_int_equal(cfg_read(h, 6, 2) & 0x10, 0x10);
	assert_int_equal(host_find_cap(h, 0x01), 0x80);
	assert_int_equal(host_find_cap(h, 0x11), 0xb0);
	exp = host_find_cap(h, 0x10);
	assert_int_equal(exp, 0xc0);
	assert_int_equal(cfg_read(h, 0xb2, 2) & 0x7ff, 255);
	assert_int_equal(cfg_read(h, 0xb4, 4), 0);
	assert_int_equal(cfg_read(h, 0xb8, 4), 0x01100190);
	assert_true(cfg_read(h, exp + 4, 4) & 1u << 28);	/* FLR */
	assert_int_equal(cfg_read(h, exp + 18, 2) & 0x3ff, 0x083);	/* 8 GT/s x8 */
	/* Serial number: 48 bits, then the interface. */
	assert_int_equal(cfg_read(h, 0x100, 4), 0x00010003);
	assert_int_equal(cfg_read(h, 0x104, 4), 0x345610ff);
	assert_int_equal(cfg_read(h, 0x108, 4), 0x00154d12);
}

static void test_msix_enable_bits(void **state)
{
	struct host *h = *state;

	cfg_write(h, 0xb2, 0xffff, 2);
	assert_int_equal(cfg_read(h, 0xb2, 2), 0xc0ff);
	cfg_write(h, 0xb2, 0x80ff, 2);
	assert_int_equal(cfg_read(h, 0xb2, 2), 0x80ff);
}

static void test_window_csrs(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < 24; i++)
		assert_int_equal(cfg_read(h, 0x400 + 4 * i, 4), bar_read(h, 0, 0x30000 + 4 * i, 4));
	cfg_write(h, 0x400 + 4 * 23, 0x12345678, 4);
	assert_int_equal(bar_read(h, 0, 0x30000 + 4 * 23, 4), 0x12345678);
	/* Configuration space takes writes of whole words only. */
	cfg_write(h, 0x400 + 4 * 23, 0, 2);
	assert_int_equal(cfg_read(h, 0x400 + 4 * 23, 4), 0x12345678);
	/* CSRs of explicit commands: word 2 of group 3, area 3. There is no word 3. */
	cfg_write(h, 0x400 + 0x80 + 0xf8, 0xcafe, 4);
	assert_int_equal(bar_read(h, 0, 0x30000 + 0x80 + 0xf8, 4), 0xcafe);
	cfg_write(h, 0x400 + 0x80 + 0xfc, 0xcafe, 4);
	assert_int_equal(cfg_read(h, 0x400 + 0x80 + 0xfc, 4), 0);
}

/* One read of the whole space, as QEMU makes it, returns the same as reads of single bytes. */
static void test_large_reads(void **state)
{
	struct host *h = *state;
	uint8_t all[BOARD_CFG_SIZE + 16];
	unsigned int i;

	board_cfg_read(h->b, 0, all, sizeof(all));
	for (i = 0; i < BOARD_CFG_SIZE; i++)
		assert_int_equal(all[i], cfg_read(h, i, 1));
	for (; i < sizeof(all); i++)
		assert_int_equal(all[i], 0xff);
	board_cfg_read(h->b, 0xfffffff0u, all, 64);
	for (i = 0; i < 64; i++)
		assert_int_equal(all[i], 0xff);
}

static void test_hostile_writes(void **state)
{
	struct host *h = *state;
	uint8_t junk[BOARD_CFG_SIZE + 64];

	memset(junk, 0xff, sizeof(junk));
	junk[0xc9] = 0x7f;	/* do not request a reset */
	board_cfg_write(h->b, 0, junk, sizeof(junk));
	board_cfg_write(h->b, BOARD_CFG_SIZE - 2, junk, 16);
	board_cfg_write(h->b, 0xfffffff8u, junk, 64);
	assert_int_equal(cfg_read(h, 0x00, 4), 0x400019ee);
	assert_int_equal(cfg_read(h, 0x04, 2), 0x0546);
	assert_int_equal(cfg_read(h, 0x34, 1), 0x80);
	assert_int_equal(cfg_read(h, 0x104, 4), 0x345610ff);
}

/* The card ignores memory accesses unless the command register enables memory space. */
static void test_memory_enable(void **state)
{
	struct host *h = *state;

	assert_int_equal(pcie_read(h, 0x30000), 0x60000000);
	cfg_write(h, 4, 0x4, 2);
	assert_int_equal(pcie_read(h, 0x30000), 0xffffffff);
	pcie_write(h, 0x8000, 1);
	cfg_write(h, 4, 0x6, 2);
	assert_int_equal(pcie_read(h, 0x8000), 0);
}

static void test_flr(void **state)
{
	struct host *h = *state;

	pcie_write(h, 0x8000, 0x1234);
	cfg_write(h, 0x14, 0x42, 4);
	cfg_write(h, 0xc9, 0x80, 1);
	assert_int_equal(cfg_read(h, 0x04, 2), 0);
	assert_int_equal(cfg_read(h, 0x14, 4), 0);
	/* A function level reset leaves windows and memory as they are; power-on resets them. */
	cfg_write(h, 4, 0x6, 2);
	assert_int_equal(pcie_read(h, 0x8000), 0x1234);
	board_reset(h->b, BOARD_RESET_POWER);
	assert_int_equal(cfg_read(h, 0x448, 4), 0);
	cfg_write(h, 4, 0x6, 2);
	host_windows(h);
	assert_int_equal(pcie_read(h, 0x8000), 0);
}

static void test_options(void **state)
{
	struct host *h = *state;
	char err[200];

	assert_int_equal(board_set(h->b, "serial", "00:15:4d:aa:bb:cc", err, sizeof(err)), 0);
	assert_int_equal(cfg_read(h, 0x104, 4), 0xbbcc10ff);
	assert_int_equal(cfg_read(h, 0x108, 4), 0x00154daa);
	/* The rest of the configuration space is unchanged. */
	assert_int_equal(cfg_read(h, 4, 2), 6);

	assert_int_equal(board_set(h->b, "colour", "red", err, sizeof(err)), -ENOENT);
	assert_non_null(strstr(err, "colour"));
	assert_non_null(strstr(err, "start"));
	assert_int_equal(board_set(h->b, "start", "maybe", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "maybe"));
	assert_non_null(strstr(err, "flows, link or promisc"));
	assert_int_equal(board_set(h->b, "mac", "01:00:00:00:00:00", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "mac", "02:00:00:00:00:ff", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "mac", "02:00:00:00:00:1", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "temperature", "hot", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "temperature", "-1", err, sizeof(err)), -EINVAL);
	assert_int_equal(board_set(h->b, "temperature", "51000", err, sizeof(err)), 0);
}

static void test_tlp_counts(void **state)
{
	struct host *h = *state;
	struct board_tlp_count c;

	board_tlp_clear(h->b);
	cfg_read(h, 0, 4);
	cfg_write(h, 0x3c, 1, 1);
	c = host_tlp(h, BOARD_TLP_CONFIG);
	assert_int_equal(c.host_nonposted, 2);
	assert_int_equal(c.host_posted, 0);
	assert_int_equal(c.completions, 2);
	assert_int_equal(c.payload, 5);
	assert_int_equal(c.overhead, 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ids, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_bar_sizing, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_capabilities, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_msix_enable_bits, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_window_csrs, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_large_reads, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_writes, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_memory_enable, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_flr, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_options, host_setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_tlp_counts, host_setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
