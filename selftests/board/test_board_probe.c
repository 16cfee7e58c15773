// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_probe.c - the reads and writes of the stock driver during its probe, in the driver's
 * order and through its windows (drivers/net/ethernet/netronome/nfp, nfpcore/). The test computes
 * the expected values and takes none from the board.
 */
#include "host.h"
#include "mem_map.h"

#define RES_BASE	0x8100000000ull
#define RES_ENTRIES	128
#define IFC		0x10ff0000u

/* Address of a symbol in memory that firmware has mapped. */
#define FW_MEM_ADDR	0x10000000ull
static uint8_t fw_mem[4096];

static void fw_start(void *ctx, struct board *b)
{
	(void)ctx;
	assert_int_equal(board_mem_map(b, FW_MEM_ADDR, fw_mem, sizeof(fw_mem)), 0);
	assert_int_equal(board_symbol(b, "test_symbol", FW_MEM_ADDR + 0x100, 64), 0);
	assert_int_equal(board_symbol(b, "test_imem", 0x9c00000000ull, 8), 0);
	/*
	 * A mapping must not overlap the board's memory or an earlier mapping, and must lie in
	 * the card's address space.
	 */
	assert_int_equal(board_mem_map(b, BD_VNIC_ADDR, fw_mem, 8), -EEXIST);
	assert_int_equal(board_mem_map(b, RES_BASE, fw_mem, 8), -EEXIST);
	assert_int_equal(board_mem_map(b, FW_MEM_ADDR + 4095, fw_mem, 8), -EEXIST);
	assert_int_equal(board_symbol(b, "test_symbol", FW_MEM_ADDR, 64), -EEXIST);
	assert_int_equal(board_symbol(b, "nowhere", 0x7800000000ull, 64), -EINVAL);
}

static const struct board_fw fw = { .start = fw_start };

static int setup(void **state)
{
	memset(fw_mem, 0x5a, sizeof(fw_mem));
	*state = host_create(&fw, NULL);
	return 0;
}

/* Compute the CRC-32 of POSIX cksum by its definition: long division, bit by bit. */
static uint32_t cksum(const uint8_t *p, size_t len)
{
	uint8_t tail[8];
	uint32_t crc = 0;
	size_t i, n, tails = 0;

	for (n = len; n; n >>= 8)
		tail[tails++] = n;
	for (i = 0; i < 8 * (len + tails); i++) {
		uint8_t byte = i / 8 < len ? p[i / 8] : tail[i / 8 - len];
		bool bit = byte >> (7 - i % 8) & 1;
		bool top = crc >> 31;

		crc <<= 1;
		if (top != bit)
			crc ^= 0x04c11db7;
	}
	return ~crc;
}

static void test_cksum(void **state)
{
	(void)state;
	/* The value that cksum(1) prints for "a", and that a comment in the driver has. */
	assert_int_equal(cksum((const uint8_t *)"a", 1), 0x48c279fe);
}

static void test_model(void **state)
{
	struct host *h = *state;

	csr_write(h, 16, 0x27000028);
	assert_int_equal(bar_read(h, 4, 0x100004, 4), 0x40010010);
	/* The IMB entry of target MU: mode 3, 40 bits, islands 24 and 24. */
	assert_int_equal(bar_read(h, 0, SLICE0 + 0xa0000 + 4 * 7, 4), 0x7618);
	csr_write(h, 17, 0x25000008);
	assert_int_equal(bar_read(h, 4, SLICE4 + 0x14c, 4), 0);
	assert_int_equal(bar_read(h, 4, SLICE4 + 0x150, 4), 0);
}

/* ---- resource table and mutexes ---- */

#define ATOMIC_READ(h, off)	bar_read(h, 0, 2 * SLICE0 + (off), 4)
#define TEST_SET(h, off)	bar_read(h, 0, 3 * SLICE0 + (off), 4)
#define ATOMIC_WRITE(h, off, v)	bar_write(h, 0, 6 * SLICE0 + (off), v, 4)

struct resource {
	uint64_t addr;
	uint32_t size;
	unsigned int entry;
};

static struct resource find_resource(struct host *h, const char *name)
{
	struct resource r = { .entry = 0 };
	uint8_t padded[8] = { 0 };

	memcpy(padded, name, strlen(name));
	for (unsigned int i = 0; i < RES_ENTRIES; i++) {
		if (ATOMIC_READ(h, 32 * i + 4) != cksum(padded, 8))
			continue;
		r.entry = i;
		/* The action is read and write, the target MU, the token 0. */
		assert_int_equal(ATOMIC_READ(h, 32 * i + 20), 0x07002000);
		r.addr = (uint64_t)ATOMIC_READ(h, 32 * i + 24) << 8;
		r.size = ATOMIC_READ(h, 32 * i + 28) << 8;
		return r;
	}
	fail_msg("no resource %s", name);
	return r;
}

static void test_resources(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < RES_ENTRIES; i++)
		assert_int_equal(ATOMIC_READ(h, 32 * i) & 0xffff, 0);
	assert_int_equal(ATOMIC_READ(h, 4), 0);
	assert_in_range(find_resource(h, "nfp.sp").entry, 1, 7);
	assert_in_range(find_resource(h, "nfp.info").entry, 1, 7);
	assert_in_range(find_resource(h, "nfp.nffw").entry, 1, 7);
	assert_true(find_resource(h, "nfp.nffw").size >= 3208);
}

static void test_mutex(void **state)
{
	struct host *h = *state;

	assert_int_equal(TEST_SET(h, 0), 0);
	/*
	 * Test-and-set has taken the lock, but no owner is written yet. Another master finds it
	 * taken.
	 */
	assert_int_equal(ATOMIC_READ(h, 0), 0x0f);
	assert_int_equal(TEST_SET(h, 0), 0x0f);
	ATOMIC_WRITE(h, 0, IFC | 0xf);
	assert_int_equal(ATOMIC_READ(h, 0), IFC | 0xf);
	assert_int_equal(TEST_SET(h, 0), IFC | 0xf);
	ATOMIC_WRITE(h, 0, IFC);
	assert_int_equal(ATOMIC_READ(h, 0), IFC);
	/*
	 * The operand is the byte mask. At offset 4 it is that of the other half of a 64-bit
	 * word.
	 */
	assert_int_equal(TEST_SET(h, 4), 0);
	assert_int_equal(ATOMIC_READ(h, 4), 0xf0);
}

static void test_atomics(void **state)
{
	static const struct {
		unsigned int action;
		uint32_t old, arg, want;
	} ops[] = {
		{ 4, 0x11, 0x22, 0x22 },
		{ 5, 0x0f0f, 0x00ff, 0x0fff },
		{ 6, 0x0f0f, 0x00ff, 0x0f00 },
		{ 7, 0xffffffff, 3, 2 },
		{ 8, 0xfffffffe, 3, 0xffffffff },
		{ 9, 2, 3, 0xffffffff },
		{ 10, 2, 3, 0 },
		{ 15, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0 },
	};
	struct host *h = *state;

	for (unsigned int i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		ATOMIC_WRITE(h, 0x3f00, ops[i].old);
		/* BAR0.7: FIXED, MU, this action */
		csr_write(h, 7, 0x03808100 | ops[i].action << 16);
		bar_write(h, 0, 7 * SLICE0 + 0x3f00, ops[i].arg, 4);
		assert_int_equal(ATOMIC_READ(h, 0x3f00), ops[i].want);
		assert_int_equal(mu_read(h, RES_BASE + 0x3f00, 4), ops[i].want);
	}
	/* Action 30 does not exist. */
	csr_write(h, 7, 0x03808100 | 30u << 16);
	assert_int_equal(bar_read(h, 0, 7 * SLICE0 + 0x3f00, 4), 0xffffffff);
}

/* ---- hwinfo ---- */

static void test_hwinfo(void **state)
{
	struct host *h = *state;
	struct resource r = find_resource(h, "nfp.info");
	const char *key, *val;
	uint8_t t[8192];
	uint32_t size, crc;
	bool ready = false;

	assert_in_range(r.size, 0x100, sizeof(t));
	mu_copy(h, r.addr, t, r.size);
	memcpy(&size, t + 4, 4);
	assert_int_equal(*(uint32_t *)t, 0x48490200);
	assert_in_range(size, 20, r.size);
	memcpy(&crc, t + size - 4, 4);
	assert_int_equal(crc, cksum(t, size - 4));
	for (key = (char *)t + 16; *key; key = val + strlen(val) + 1) {
		val = key + strlen(key) + 1;
		assert_true((uint8_t *)val < t + size - 4);
		if (!strcmp(key, "board.state"))
			ready = !strcmp(val, "15");
	}
	assert_true(ready);
}

/* ---- NSP ---- */

#define NSP_OK	0

static unsigned int nsp(struct host *h, unsigned int code, uint32_t option, uint32_t *ret)
{
	struct resource r = find_resource(h, "nfp.sp");
	uint64_t buf = mu_read(h, r.addr + 0x18, 8), reg;

	mu_write(h, r.addr + 0x10, buf, 8);
	mu_write(h, r.addr + 0x08, (uint64_t)option << 32 | code << 16 | 1, 8);
	reg = mu_read(h, r.addr + 0x08, 8);
	assert_int_equal(reg & 1, 0);
	if (ret)
		*ret = reg >> 32;
	reg = mu_read(h, r.addr, 8);
	assert_int_equal(reg >> 44, 0xab100);
	assert_int_equal(reg & 1, 0);
	return reg >> 8 & 0xff;
}

static uint64_t nsp_buf(struct host *h)
{
	uint64_t v = mu_read(h, find_resource(h, "nfp.sp").addr + 0x18, 8);

	assert_int_equal(v >> 40, 0x070020);	/* MU, read and write */
	return v & 0xffffffffffull;
}

static void test_nsp_basics(void **state)
{
	struct host *h = *state;
	struct resource r = find_resource(h, "nfp.sp");
	uint32_t ret;

	assert_int_equal(nsp(h, 0, 0, NULL), NSP_OK);
	/* The NSP's default buffer is large enough for the driver's tables. */
	assert_true((mu_read(h, r.addr + 0x20, 8) >> 8 & 0xff) * 4096 >= 1536);
	assert_int_equal(nsp(h, 16, 0, &ret), NSP_OK);
	assert_int_equal(ret, 0x100);
	assert_int_equal(nsp(h, 13, 64, NULL), NSP_OK);
	assert_int_equal(mu_read(h, nsp_buf(h) + 56, 8), 0xf);
	assert_int_equal(nsp(h, 12, 1, NULL), NSP_OK);
	assert_int_equal(mu_read(h, nsp_buf(h), 4), 42000);
	/* Command 99 does not exist. Command 6 (load firmware) is refused: there is firmware. */
	assert_int_equal(nsp(h, 99, 0, NULL), EOPNOTSUPP);
	assert_int_equal(nsp(h, 6, 64, NULL), EBUSY);
	/* Without the start bit the NSP runs no command. */
	mu_write(h, r.addr + 8, 99 << 16, 8);
	assert_int_equal(mu_read(h, r.addr + 8, 8), 99 << 16);
}

static void put_string(struct host *h, const char *s)
{
	char buf[64] = { 0 };
	uint64_t v;

	memcpy(buf, s, strlen(s));
	for (unsigned int i = 0; i < sizeof(buf); i += 8) {
		memcpy(&v, buf + i, 8);
		mu_write(h, nsp_buf(h) + i, v, 8);
	}
}

static void check_string(struct host *h, const char *want)
{
	char buf[64];

	mu_copy(h, nsp_buf(h), buf, sizeof(buf));
	assert_string_equal(buf, want);
}

static void test_nsp_hwinfo(void **state)
{
	struct host *h = *state;

	put_string(h, "abi_drv_load_ifc");
	assert_int_equal(nsp(h, 17, 64, NULL), ENOENT);
	put_string(h, "eth1.mac");
	assert_int_equal(nsp(h, 17, 64, NULL), NSP_OK);
	check_string(h, "00:15:4d:12:34:61");
	put_string(h, "sp_indiff=0");
	assert_int_equal(nsp(h, 18, 32, NULL), NSP_OK);
	put_string(h, "sp_indiff=1");
	assert_int_equal(nsp(h, 18, 32, NULL), NSP_OK);
	put_string(h, "sp_indiff");
	assert_int_equal(nsp(h, 17, 64, NULL), NSP_OK);
	check_string(h, "1");
	put_string(h, "no value");
	assert_int_equal(nsp(h, 18, 32, NULL), EINVAL);
	/* A key must end within the length of the command. */
	put_string(h, "eth1.mac");
	assert_int_equal(nsp(h, 17, 4, NULL), EINVAL);
}

static uint64_t eth(struct host *h, unsigned int port, unsigned int field)
{
	return mu_read(h, nsp_buf(h) + 32 * port + 8 * field, 8);
}

static void test_nsp_ports(void **state)
{
	struct host *h = *state;
	unsigned int i, present = 0;
	uint32_t ret;

	assert_int_equal(nsp(h, 7, 48 * 32, &ret), NSP_OK);
	for (i = 0; i < 48; i++)
		present += !!(eth(h, i, 0) & 0xf);
	assert_int_equal(present, 2);
	assert_int_equal(ret, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(eth(h, i, 0) >> 8 & 0xff, i);
		assert_int_equal(eth(h, i, 1) & 0xf, 0xf);
		assert_int_equal(eth(h, i, 1) >> 8 & 0xf, 5);
		/* The table has the bytes of the MAC address 00:15:4d:12:34:60 reversed. */
		assert_int_equal(eth(h, i, 2), 0x00154d123460 + i);
	}
	/* Set port 1 down: write the table back as it was read, with one bit changed. */
	mu_write(h, nsp_buf(h) + 32 + 24, eth(h, 1, 3) & ~1ull, 8);
	assert_int_equal(nsp(h, 8, 48 * 32, NULL), NSP_OK);
	assert_int_equal(nsp(h, 7, 48 * 32, NULL), NSP_OK);
	assert_int_equal(eth(h, 0, 1) & 1, 1);
	assert_int_equal(eth(h, 1, 1) & 1, 0);
	assert_int_equal(mu_read(h, BD_VNIC_ADDR + 0x34, 2), 9);		/* link is up, 25G */
	assert_int_equal(mu_read(h, BD_VNIC_ADDR + 0x8034, 2), 0);
}

/* Set a field of port 0: write the table back with the field and its control bit changed. */
static uint8_t eth_set(struct host *h, unsigned int shift, uint64_t mask, uint64_t value,
		       unsigned int ctrl_bit, uint32_t *ret)
{
	uint64_t state;

	assert_int_equal(nsp(h, 7, 48 * 32, NULL), NSP_OK);
	state = (eth(h, 0, 1) & ~(mask << shift)) | value << shift;
	mu_write(h, nsp_buf(h) + 8, state, 8);
	mu_write(h, nsp_buf(h) + 24, eth(h, 0, 3) | 1ull << ctrl_bit, 8);
	return nsp(h, 8, 48 * 32, ret);
}

static void check_port(struct host *h, uint64_t fecs, uint64_t rate, uint64_t fec, uint64_t active)
{
	assert_int_equal(nsp(h, 7, 48 * 32, NULL), NSP_OK);
	assert_int_equal(eth(h, 0, 0) >> 60 & 3, fecs);
	assert_int_equal(eth(h, 0, 1) >> 8 & 0xf, rate);
	assert_int_equal(eth(h, 0, 1) >> 26 & 3, fec);
	assert_int_equal(eth(h, 0, 1) >> 28 & 3, active);
}

static void test_nsp_rate_and_fec(void **state)
{
	struct host *h = *state;
	uint32_t ret;

	check_port(h, 3, 5, 0, 2);		/* 25G, FEC auto: RS is active */
	assert_int_equal(eth_set(h, 26, 3, 3, 7, NULL), NSP_OK);
	check_port(h, 3, 5, 3, 3);		/* FEC off */
	assert_int_equal(eth_set(h, 26, 3, 1, 7, NULL), NSP_OK);
	check_port(h, 3, 5, 1, 1);		/* FEC BASE-R */
	assert_int_equal(eth_set(h, 8, 0xf, 4, 4, NULL), NSP_OK);
	check_port(h, 0, 4, 1, 3);		/* 10G has no FEC */
	/* The port supports 10GBASE-SR and 25GBASE-SR, and advertises 10GBASE-SR. */
	mu_write(h, nsp_buf(h), 0, 8);
	assert_int_equal(nsp(h, 23, 40, NULL), NSP_OK);
	assert_int_equal(mu_read(h, nsp_buf(h) + 8, 8), 1 << 14 | 1 << 20);
	assert_int_equal(mu_read(h, nsp_buf(h) + 24, 8), 1 << 14);

	/* The NSP refuses 1G, autonegotiation and other lanes. It then changes no port. */
	assert_int_equal(eth_set(h, 8, 0xf, 3, 4, &ret), EINVAL);
	assert_int_equal(ret, 6011);
	assert_int_equal(eth_set(h, 23, 7, 0, 6, &ret), EINVAL);
	assert_int_equal(nsp(h, 7, 48 * 32, NULL), NSP_OK);
	mu_write(h, nsp_buf(h) + 24, eth(h, 0, 3) & ~1ull, 8);
	mu_write(h, nsp_buf(h) + 32 + 24, eth(h, 1, 3) | 1 << 5, 8);
	assert_int_equal(nsp(h, 8, 48 * 32, &ret), EINVAL);
	check_port(h, 0, 4, 1, 3);
	assert_int_equal(eth(h, 0, 1) & 1, 1);
	assert_int_equal(eth_set(h, 8, 0xf, 5, 4, NULL), NSP_OK);
	check_port(h, 3, 5, 1, 1);
}

static void test_nsp_module(void **state)
{
	struct host *h = *state;
	uint8_t m[8 + 96];
	uint8_t sum = 0;

	/* Read 96 bytes at offset 0 of port 1's module. */
	mu_write(h, nsp_buf(h), 1 | 96ull << 8 | 1ull << 56, 8);
	assert_int_equal(nsp(h, 22, sizeof(m), NULL), NSP_OK);
	mu_copy(h, nsp_buf(h), m, sizeof(m));
	assert_int_equal(m[5] | m[6] << 8, 96);
	assert_int_equal(m[8], 3);
	for (unsigned int i = 0; i < 63; i++)
		sum += m[8 + i];
	assert_int_equal(m[8 + 63], sum);
	/* Port 2 does not exist. */
	mu_write(h, nsp_buf(h), 1 | 96ull << 8 | 2ull << 56, 8);
	assert_int_equal(nsp(h, 22, sizeof(m), NULL), ENODEV);
	/*
	 * A read past the end of the module's memory returns zeros, not bytes of the board's
	 * stack.
	 */
	mu_write(h, nsp_buf(h), 1 | 96ull << 8 | 0xfff0ull << 24, 8);
	assert_int_equal(nsp(h, 22, sizeof(m), NULL), NSP_OK);
	assert_int_equal(mu_read(h, nsp_buf(h) + 8, 8), 0);
}

/* The NSP does not access a buffer outside of its own buffer. */
static void test_nsp_hostile_buffer(void **state)
{
	struct host *h = *state;
	struct resource r = find_resource(h, "nfp.sp");

	mu_write(h, r.addr + 0x10, 0x070020ull << 40 | 0x8100000000ull, 8);
	mu_write(h, r.addr + 0x08, (uint64_t)1536 << 32 | 7 << 16 | 1, 8);
	assert_int_equal(mu_read(h, r.addr, 8) >> 8 & 0xff, EINVAL);
	assert_int_equal(ATOMIC_READ(h, 4), 0);
	/* A buffer in the last bytes of the NSP's buffer is too small for the table. */
	mu_write(h, r.addr + 0x10, 0x070020ull << 40 | (nsp_buf(h) + 0xfff8), 8);
	mu_write(h, r.addr + 0x08, (uint64_t)1536 << 32 | 7 << 16 | 1, 8);
	assert_int_equal(mu_read(h, r.addr, 8) >> 8 & 0xff, EINVAL);
}

/* ---- firmware and symbols ---- */

/* Compute the address of a symbol from island and offset, as nfp_encode_mu() does in mode 3. */
static uint64_t encode(unsigned int island, uint64_t addr, bool direct)
{
	if (direct || island < 24 || island > 26)
		return (addr & 0xffffffff) | 2ull << 38 | (uint64_t)island << 32;
	return (addr & ~(7ull << 35)) | (uint64_t)(island - 24) << 35;
}

static bool find_symbol(struct host *h, const char *name, uint64_t *addr, uint32_t *len)
{
	struct resource r = find_resource(h, "nfp.nffw");
	uint64_t mip, symtab, strtab;
	uint32_t info[3], i, n;

	assert_int_equal(mu_read(h, r.addr, 4), 1 | 2 << 16);
	mu_copy(h, r.addr + 8 + 800, info, sizeof(info));
	assert_int_equal(info[0] >> 31, 1);
	mip = encode(info[1] & 0xff, (uint64_t)(info[0] & 0xff) << 32 | info[2], info[0] >> 8 & 1);
	assert_int_equal(mu_read(h, mip, 4), 0x0050494d);
	assert_int_equal(mu_read(h, mip + 4, 4), 1);
	symtab = encode(24, mu_read(h, mip + 32, 4), false);
	n = mu_read(h, mip + 36, 4);
	strtab = encode(24, mu_read(h, mip + 40, 4), false);
	assert_int_equal(n % 16, 0);
	assert_int_not_equal(n, 0);
	for (i = 0; i < n; i += 16) {
		uint8_t e[16];
		char s[40];

		mu_copy(h, symtab + i, e, sizeof(e));
		mu_copy(h, strtab + (e[8] | e[9] << 8), s, sizeof(s));
		if (strcmp(s, name))
			continue;
		assert_int_equal(e[0], 1);
		*addr = encode(e[2], (uint64_t)e[3] << 32 | *(uint32_t *)(e + 4), e[1] == 0x17);
		*len = *(uint32_t *)(e + 12);
		return true;
	}
	return false;
}

static void test_symbols(void **state)
{
	struct host *h = *state;
	uint64_t addr;
	uint32_t len;

	assert_true(find_symbol(h, "_pf0_net_bar0", &addr, &len));
	assert_int_equal(len, 2 * 0x8000);
	assert_int_equal(mu_read(h, addr + 0x30, 4), 0x305);
	assert_true(find_symbol(h, "nfd_cfg_pf0_num_ports", &addr, &len));
	assert_int_equal(len, 8);
	assert_int_equal(mu_read(h, addr, 8), 2);
	assert_true(find_symbol(h, "_mac_stats", &addr, &len));
	assert_true(len >= 2 * 0x200);
	/*
	 * Without this symbol the driver assumes no limit of VFs. With it the card would need SR-
	 * IOV.
	 */
	assert_false(find_symbol(h, "nfd_vf_cfg_max_vfs", &addr, &len));

	assert_true(find_symbol(h, "test_symbol", &addr, &len));
	assert_int_equal(addr, FW_MEM_ADDR + 0x100);
	assert_int_equal(mu_read(h, addr, 8), 0x5a5a5a5a5a5a5a5aull);
	mu_write(h, addr, 0x1122334455667788ull, 8);
	assert_int_equal(fw_mem[0x100], 0x88);
	assert_true(find_symbol(h, "test_imem", &addr, &len));
	assert_int_equal(addr, 0x9c00000000ull);
}

/* Addresses of one DRAM byte that differ in locality and index bit read the same memory. */
static void test_address_views(void **state)
{
	struct host *h = *state;

	mu_write(h, 0x1000000, 0xfeedface, 4);
	assert_int_equal(mu_read(h, 0x2001000000ull, 4), 0xfeedface);
	assert_int_equal(mu_read(h, 0x4001000000ull, 4), 0xfeedface);
	assert_int_equal(mu_read(h, 0xc001000000ull, 4), 0xfeedface);
	/* Direct access to the island reaches its cache, not the DRAM. */
	assert_int_equal(mu_read(h, 0x9801000000ull, 4), 0xffffffff);
	assert_int_equal(mu_read(h, 0x9800200000ull, 4), 0);
	/* These islands and addresses have no memory. */
	assert_int_equal(mu_read(h, 0x0801000000ull, 4), 0xffffffff);
	assert_int_equal(mu_read(h, 0xbf00000000ull, 4), 0xffffffff);
	mu_write(h, 0x0801000000ull, 1, 4);
	/* After power-on memory is 0. */
	host_reset(h, BOARD_RESET_POWER);
	assert_int_equal(mu_read(h, 0x1000000, 4), 0);
	assert_null(board_mem_ptr(h->b, 2ull << 30, 1));
	assert_non_null(board_mem_ptr(h->b, (2ull << 30) - 1, 1));
	assert_null(board_mem_ptr(h->b, (2ull << 30) - 1, 2));
	assert_null(board_mem_ptr(h->b, 0, UINT64_MAX));
	assert_null(board_mem_ptr(h->b, 0, 0));
}

/* The driver accesses unaligned data by explicit commands. The data is in SRAM. */
static void test_explicit(void **state)
{
	struct host *h = *state;
	unsigned int group = 1, area = 2, data = 0x1000 + (group << 9) + (area << 7);
	uint32_t csr = 0x30080 + 0x40 * group + 0x10 * area;
	uint64_t addr = 0x1000004, low = addr & ((1 << 22) - 1);

	mu_write(h, 0x1000000, 0x0807060504030201ull, 8);
	mu_write(h, 0x1000008, 0x100f0e0d0c0b0a09ull, 8);
	bar_write(h, 0, csr, addr >> 16, 4);
	bar_write(h, 0, csr + 4, 0x40 << 14 | data, 4);
	bar_write(h, 0, csr + 8, 7u << 28 | 0 << 23 | 0 << 18 | 0xff << 10, 4);
	bar_read(h, 0, (4 + group) * SLICE0 + (area << 22) + low, 1);
	assert_int_equal(bar_read(h, 0, data, 4), 0x08070605);
	assert_int_equal(bar_read(h, 0, data + 4, 4), 0x0c0b0a09);

	/* Write 4 bytes: half of the byte mask is set. */
	bar_write(h, 0, data, 0xaabbccdd, 4);
	bar_write(h, 0, csr + 8, 7u << 28 | 1 << 23 | 0 << 18 | 0xf0 << 10, 4);
	bar_read(h, 0, (4 + group) * SLICE0 + (area << 22) + low, 1);
	assert_int_equal(mu_read(h, 0x1000000, 8), 0xaabbccdd04030201ull);
	assert_int_equal(mu_read(h, 0x1000008, 8), 0x100f0e0d0c0b0a09ull);
}

static void test_vnic_reconfig(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t bar = BD_VNIC_ADDR + 0x8000 * i;
		uint32_t txq = mu_read(h, bar + 0x48, 4);

		assert_int_equal(txq, 1 + 128 * i);
		assert_int_equal(mu_read(h, bar + 0x4c, 4), 128 * i);
		assert_int_equal(mu_read(h, bar + 0x34, 2), 9);
		mu_write(h, bar, 0, 4);
		mu_write(h, bar + 4, 3, 4);
		/* An update starts when the configuration queue is rung, not before. */
		assert_int_equal(mu_read(h, bar + 4, 4), 3);
		pcie_write(h, QC(txq, 4), 1);
		assert_int_equal(mu_read(h, bar + 4, 4), 3);
		pcie_write(h, QC(txq + 1, 4), 1);
		assert_int_equal(mu_read(h, bar + 4, 4), 0);
		/* The update initializes the rings, so the doorbell of queue txq is gone. */
		assert_int_equal(pcie_read(h, QC(txq, STS_HI)) & 0x3ffff, 0);
		assert_int_equal(pcie_read(h, QC(txq + 1, STS_LO)) & 0x3ffff, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cksum),
		cmocka_unit_test_setup_teardown(test_model, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_resources, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_mutex, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_atomics, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_hwinfo, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_basics, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_hwinfo, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_ports, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_rate_and_fec, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_module, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_nsp_hostile_buffer, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_symbols, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_address_views, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_explicit, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_vnic_reconfig, setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
