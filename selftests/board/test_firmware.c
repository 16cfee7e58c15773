// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_firmware.c - the default card has the public firmware: control BARs, symbols, capabilities,
 * and the features of its vNICs that firmware "full" does not have. The options that change them.
 */
#include "nffw.h"
#include "vnic_rx_rig.h"

/* The control bits that the driver sets on the public firmware, without checksums and RSS */
#define PUBLIC_BASE	0x90040221u
#define PUBLIC_RX	0x40000010u	/* RXCSUM, CSUM_COMPLETE */
#define PUBLIC_RSS	0x20000000u

static int setup_public(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.h = host_create(NULL, NULL);
	t.base = PUBLIC_BASE;
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	return 0;
}

static uint32_t bar32(unsigned int port, uint32_t off)
{
	return mu_read(t.h, BD_VNIC_ADDR + 0x8000 * port + off, 4);
}

/* The rows of the table of the public firmware: firmware files of the vendor, and their code */
static void test_bar(void **state)
{
	(void)state;
	for (unsigned int port = 0; port < 2; port++) {
		assert_int_equal(bar32(port, 0x30), 0x305);
		assert_int_equal(bar32(port, 0x38), 0xf8161233);
		assert_int_equal(bar32(port, 0x3c), 32 - port);
		assert_int_equal(bar32(port, 0x40), 32 - port);
		assert_int_equal(bar32(port, 0x48), 1 + 128 * port);
		assert_int_equal(bar32(port, 0x4c), 128 * port);
		assert_int_equal(bar32(port, 0x54), 1 << 26);
		assert_int_equal(bar32(port, 0xa4), 0);
		/* A reserved TLV leads to the others. */
		assert_int_equal(bar32(port, 0x58), 1 << 16 | (0x1800 - 0x5c));
		assert_int_equal(bar32(port, 0x1800), 3 << 16 | 4);
		assert_int_equal(bar32(port, 0x1804), 800);
		assert_int_equal(bar32(port, 0x1808), 2 << 16);
		assert_int_equal(bar32(port, 0x80), 2 | 1 << 8 | 2816 << 16);
		assert_int_equal(bar32(port, 0x84), (2560 + 2816 * port) | 1 << 16);
		assert_int_equal(mu_read(t.h, BD_VNIC_ADDR + 0x8000 * port + 0x88, 2), 8 | 30 << 8);
	}
}

/* Return: the bits of the helpers in the capabilities of the card. */
static uint32_t helpers(struct fw_caps *c)
{
	uint64_t addr = bd_nffw_symbol(t.h->b, "_abi_bpf_capabilities", 8);
	const struct bd_nffw *n = t.h->b->nffw;
	uint32_t bits = 0;
	unsigned int i;

	assert_int_not_equal(addr, 0);
	for (i = 0; strcmp(n->sym[i].name, "_abi_bpf_capabilities"); i++)
		;
	assert_int_equal(fw_caps_parse(board_mem_ptr(t.h->b, addr, n->sym[i].len),
				       n->sym[i].len, c), 0);
	for (i = 0; i < c->funcs; i++)
		bits |= 1u << c->func[i].id;
	return bits;
}

static void test_caps(void **state)
{
	struct fw_caps c;
	char err[128];

	(void)state;
	assert_int_equal(helpers(&c), 1 << 1 | 1 << 25);
	assert_int_equal(c.abi, 2);
	assert_false(c.multi);
	assert_true(c.has_head && c.tail && c.random && c.queue);
	assert_int_equal(c.maps.elems, 3072000);
	assert_int_equal(bd_nffw_symbol(t.h->b, "_pf0_net_app_cap", 1), 0);
	assert_string_equal(bd_firmware(t.h->b)->mip.name, "bpf-2.0.6.124");

	/* A single helper more, as bpf-helpers= asks, does not change the ABI. */
	assert_int_equal(board_set(t.h->b, "bpf-helpers", "lookup,delete", err, sizeof(err)), 0);
	assert_int_equal(helpers(&c), 1 << 1 | 1 << 3);
	assert_int_equal(c.abi, 2);
	assert_false(c.has_head || c.tail || c.random || c.queue);
	/* Another firmware has its own helpers. */
	assert_int_equal(board_set(t.h->b, "firmware", "full", err, sizeof(err)), 0);
	assert_int_equal(helpers(&c), 1 << 1 | 1 << 2 | 1 << 3 | 1 << 25);
	assert_int_equal(c.abi, 3);
	assert_true(c.multi);
	assert_int_equal(bar32(0, 0x30), 0x405);
	assert_int_equal(bar32(1, 0x3c), 8);
	assert_int_not_equal(bd_nffw_symbol(t.h->b, "_pf0_net_app_cap", 8), 0);
}

/* A firmware that cannot run changes nothing. The message has the reason. */
static void test_refused(void **state)
{
	char err[256];

	(void)state;
	assert_int_equal(board_set(t.h->b, "firmware", "pub", err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "firmware=pub: no firmware of this name; there are public, full, host, and files (a path with / or .)");
	assert_int_equal(board_set(t.h->b, "firmware", "/dev/null", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "not a firmware file"));
	assert_int_equal(board_set(t.h->b, "firmware", "./nowhere", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "No such file"));
	assert_int_equal(board_set(t.h->b, "bpf-words", "2817", err, sizeof(err)), -EINVAL);
	assert_int_equal(bar32(0, 0x30), 0x305);
}

/* The sum in the metadata is that of all bytes after the Ethernet header. No flags are set. */
static void test_checksum_complete(void **state)
{
	const uint8_t *d, *buf;
	uint32_t sum;

	(void)state;
	up(PUBLIC_RX);
	offer(0, 16);
	frame_ip(PROTO_TCP, 2794, 0);
	for (unsigned int i = 0; i < 2; i++) {
		d = one_to(0, &buf);
		assert_int_equal(d[3], 0x80 | 8);
		assert_int_equal(d[4], 0);
		assert_int_equal(len_of(d), t.len + 8);
		assert_int_equal(bd_be32(buf), 6);
		sum = bd_be32(buf + 4);
		sum = (sum & 0xffff) + (sum >> 16);
		sum = (sum & 0xffff) + (sum >> 16);
		assert_int_equal(sum, bd_sum16(t.frame + 14, t.len - 14, 0));
		assert_memory_equal(buf + 8, t.frame, t.len);
		t.len--;	/* an odd number of bytes */
	}
}

/* The hash is the CRC-32, with the sum before it in the metadata. */
static void test_rss_crc(void **state)
{
	const uint8_t *d, *buf;
	uint32_t hash;

	(void)state;
	frame_ip(PROTO_TCP, 2794, 0);
	/* The input: addresses, then ports. The key, of 4 bytes, is the initial value. */
	hash = bd_crc32(bd_crc32(0x12345678, t.frame + 26, 8), t.frame + 34, 4);
	mu_write(t.h, BAR + 0x100, 0x04003c7f, 4);
	mu_write(t.h, BAR + 0x104, 0x12345678, 4);
	mu_write(t.h, BAR + 0x12c + (hash & 0x7f), 1, 1);
	up(PUBLIC_RX | PUBLIC_RSS);
	offer(0, 16);
	offer(1, 16);
	d = one_to(1, &buf);
	assert_int_equal(d[3], 0x80 | 12);
	assert_int_equal(bd_be32(buf), 6 | 1 << 4 | 4 << 8);
	assert_int_equal(bd_be32(buf + 8), hash);
}

/* The firmware does not filter broadcasts and multicasts. */
static void test_groups(void **state)
{
	static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t group[6] = { 0x01, 0x00, 0x5e, 0, 0, 1 };
	static const uint8_t other[6] = { 0x02, 0, 0, 0, 0, 1 };

	(void)state;
	up(0);
	offer(0, 16);
	frame_to(all, 100);
	one_to(0, NULL);
	frame_to(group, 100);
	one_to(0, NULL);
	frame_to(other, 100);
	arrive(1);
	assert_null(next(0, NULL));
}

#define PUBLIC_TEST(f)	cmocka_unit_test_setup_teardown(f, setup_public, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PUBLIC_TEST(test_bar),
		PUBLIC_TEST(test_caps),
		PUBLIC_TEST(test_refused),
		PUBLIC_TEST(test_checksum_complete),
		PUBLIC_TEST(test_rss_crc),
		PUBLIC_TEST(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
