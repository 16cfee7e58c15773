// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fw_load.c - a card without firmware (firmware=host): what its NSP says, which files it takes
 * from the host, and what resets do. The file is a small one that the test makes.
 */
#define _GNU_SOURCE
#include "nffw.h"
#include "vnic_rx_rig.h"
#include "nffw_file.h"

enum { S_NULL, S_NAMES, S_NOTE, S_MIP, S_SYMS, S_SYM_NAMES, S_DATA, S_BSS, SECTIONS };

#define DATA_ADDR	0x81b000
#define BSS_ADDR	0x800000
#define PIECE		512u
#define PIECES_MAX	4096u
#define LOAD_MAX	(16u << 20)
#define NSP_BUF		(0x070020ull << 40 | BD_NSP_BUF_ADDR)

/* Commands of the NSP */
enum { SOFT_RESET = 1, FW_LOAD = 6, IDENTIFY = 13, FW_STORED = 16, LOOKUP = 17, FW_LOADED = 19,
       VERSIONS = 21 };
#define DMA		2u	/* the buffer is a list in the host's memory */

/* What the driver prints: "Firmware loading failure", and why */
#define FAILED(why)	(2u << 8 | (why) << 16)
#define CANNOT_PARSE	5u

static const char names[] = "\0.names\0.note.nfp\0.mip\0.rtsymtab\0.rtstrtab\0.data\0.bss";
static const char sym_names[] =
	"_pf0_net_app_id\0nfd_cfg_pf0_num_ports\0_pf0_net_bar0\0_pf0_net_ctrl_bar\0"
	"_mac_stats\0_abi_bpf_capabilities";

#define NAME(s)		at_name(names, sizeof(names), s)

/* Make a file of the BPF application for @ports ports. */
static void make(uint8_t ports)
{
	static const struct {
		const char *name;
		uint32_t addr;
		uint32_t size;
	} syms[] = {
		{ "_pf0_net_app_id", DATA_ADDR, 8 },
		{ "nfd_cfg_pf0_num_ports", DATA_ADDR + 8, 8 },
		{ "_abi_bpf_capabilities", DATA_ADDR + 16, 8 },
		{ "_pf0_net_ctrl_bar", BSS_ADDR, 0x8000 },
		{ "_pf0_net_bar0", BSS_ADDR + 0x8000, 0x10000 },
		{ "_mac_stats", BSS_ADDR + 0x18000, 0x400 },
	};
	const uint8_t data[24] = { FW_APP_BPF, [8] = ports, [16] = FW_CAP_RANDOM };
	uint8_t table[ARRAY_SIZE(syms) * FW_SYM_SIZE];

	for (unsigned int i = 0; i < ARRAY_SIZE(syms); i++)
		symbol(table + FW_SYM_SIZE * i,
		       (uint16_t)at_name(sym_names, sizeof(sym_names), syms[i].name), 24, syms[i].addr,
		       syms[i].size);
	file_begin(SECTIONS, S_NAMES);
	section(S_NAMES, NAME(".names"), SHT_STRTAB, 0, 0, names, sizeof(names));
	section_note(S_NOTE, NAME(".note.nfp"), S_MIP);
	section_mip(S_MIP, NAME(".mip"));
	section(S_SYMS, NAME(".rtsymtab"), SHT_PROGBITS, 0, EMEM, table, sizeof(table));
	section(S_SYM_NAMES, NAME(".rtstrtab"), SHT_PROGBITS, 0, EMEM, sym_names, sizeof(sym_names));
	section(S_DATA, NAME(".data"), SHT_PROGBITS, DATA_ADDR, EMEM, data, sizeof(data));
	section(S_BSS, NAME(".bss"), SHT_NOBITS, BSS_ADDR, EMEM, NULL, 0x18400);
}

static int setup_empty(void **state)
{
	memset(&t, 0, sizeof(t));
	t.h = host_create(NULL, NULL);
	host_set(t.h, "firmware", "host");
	make(2);
	return 0;
}

/* Run a command. Return: its result. @ret: the return value */
static unsigned int nsp_at(uint64_t buf, uint32_t code, uint32_t option, uint32_t *ret)
{
	mu_write(t.h, BD_NSP_ADDR + 0x10, buf, 8);
	mu_write(t.h, BD_NSP_ADDR + 0x08, (uint64_t)option << 32 | code | 1, 8);
	if (ret)
		*ret = mu_read(t.h, BD_NSP_ADDR + 0x08, 8) >> 32;
	return mu_read(t.h, BD_NSP_ADDR, 8) >> 8 & 0xff;
}

static unsigned int nsp(unsigned int code, uint32_t option, uint32_t *ret)
{
	return nsp_at(NSP_BUF, code << 16, option, ret);
}

/* Put the file and the list of its pieces into the host's memory, and have the NSP load it. */
static unsigned int load(uint32_t *ret)
{
	uint32_t n = (len + PIECE - 1) / PIECE;

	memcpy(t.h->mem + 0x10000, file, len);
	bd_put32(t.h->mem, n);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *e = t.h->mem + 16 + 16 * i;

		bd_put32(e, i == n - 1 ? len - PIECE * i : PIECE);
		bd_put64(e + 8, HOST_BASE + 0x10000 + PIECE * i);
	}
	return nsp_at(HOST_BASE, FW_LOAD << 16 | DMA, len, ret);
}

static bool loaded(void)
{
	uint32_t ret;

	assert_int_equal(nsp(FW_LOADED, 0, &ret), 0);
	return ret;
}

/* The host finds no firmware, and nothing of firmware. */
static void check_empty(void)
{
	assert_false(loaded());
	assert_int_equal(mu_read(t.h, BD_NFFW_ADDR, 4), 1 | 2 << 16);
	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(mu_read(t.h, BD_NFFW_ADDR + 8 + 800 + 8 * i, 8), 0);
	assert_int_equal(mu_read(t.h, BD_MIP_ADDR, 4), 0);
	assert_int_equal(mu_read(t.h, 0x81a000, 4), 0);
	assert_int_equal(mu_read(t.h, BAR + 0x30, 4), 0);
}

static void check_runs(void)
{
	assert_true(loaded());
	assert_int_equal(mu_read(t.h, BD_NFFW_ADDR + 8 + 800, 4) >> 31, 1);
	assert_int_equal(mu_read(t.h, BD_NFFW_ADDR + 8 + 800 + 8, 4), 0x81a000);
	assert_int_equal(mu_read(t.h, 0x81a000, 4), 0x0050494d);
	assert_int_equal(bd_nffw_symbol(t.h->b, "_mac_stats", 0x400), BSS_ADDR + 0x18000);
	assert_int_equal(mu_read(t.h, BAR + 0x30, 4), 0x305);
	assert_int_equal(mu_read(t.h, DATA_ADDR + 8, 4), 2);
}

static void put_key(const char *key)
{
	for (size_t i = 0; i <= strlen(key); i++)
		mu_write(t.h, BD_NSP_BUF_ADDR + i, key[i], 1);
}

static void test_empty(void **state)
{
	char err[160];
	uint32_t ret;

	check_empty();
	assert_int_equal(nsp(FW_STORED, 0, &ret), ENOENT);
	assert_int_equal(ret, FAILED(1u));
	/* The driver's defaults hold: it resets the card if there is a file, and loads the file. */
	put_key("abi_drv_reset");
	assert_int_equal(nsp(LOOKUP, 64, NULL), ENOENT);
	put_key("app_fw_from_flash");
	assert_int_equal(nsp(LOOKUP, 64, NULL), ENOENT);
	assert_int_equal(board_set(t.h->b, "app", "nic", err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "app=nic: not with firmware=host: the host loads the firmware later");
	assert_int_equal(board_set(t.h->b, "bpf-words", "99", err, sizeof(err)), -EINVAL);
	/* Neither version of the application is known. */
	assert_int_equal(nsp(VERSIONS, 256, NULL), 0);
	assert_int_equal(mu_read(t.h, BD_NSP_BUF_ADDR + 2 + 4 * 2, 4), 0);
	host_set(t.h, "firmware", "public");
	assert_true(loaded());
	assert_int_equal(mu_read(t.h, BAR + 0x30, 4), 0x305);
	put_key("abi_drv_reset");
	assert_int_equal(nsp(LOOKUP, 64, NULL), 0);
}

/* Without firmware frames are dropped, and doorbells do nothing. */
static void test_empty_frames(void **state)
{
	board_wire(t.h->b, VNIC, &wire_ops, NULL);
	frame_to(mac, 100);
	arrive(3);
	assert_int_equal(host_stat(t.h, "rx_no_firmware", 0), 3);
	qc_add_wptr(t.h, CFGQ, 1);
	host_run(t.h);
	check_empty();
	/* With firmware the same wire works. */
	assert_int_equal(load(NULL), 0);
	t.base = 0x90040221;
	ready(4, 100);
	one_to(0, NULL);
}

static void test_load(void **state)
{
	uint32_t ret, running;

	assert_int_equal(load(&ret), 0);
	assert_int_equal(ret, 0);
	check_runs();
	/* The running version of the application is the file's, and the flash has none. */
	assert_int_equal(nsp(VERSIONS, 256, NULL), 0);
	running = mu_read(t.h, BD_NSP_BUF_ADDR + 2 + 4 * 2, 4);
	assert_int_not_equal(running, 0);
	assert_int_equal(running >> 16, 0);
	assert_memory_equal(board_mem_ptr(t.h->b, BD_NSP_BUF_ADDR + running, 14), "bpf-2.0.6.124", 14);
	/* The NSP loads nothing onto firmware that runs. */
	assert_int_equal(load(&ret), EBUSY);
	assert_int_equal(ret, FAILED(0u));
	check_runs();
	assert_int_equal(nsp(FW_STORED, 0, &ret), 0);
	assert_int_equal(ret, 0);
}

static void test_resets(void **state)
{
	assert_int_equal(load(NULL), 0);
	mu_write(t.h, BSS_ADDR + 0x18000, 99, 8);
	host_reset(t.h, BOARD_RESET_FLR);
	check_runs();
	assert_int_equal(nsp(SOFT_RESET, 0, NULL), 0);
	check_empty();
	assert_int_equal(load(NULL), 0);
	check_runs();
	assert_int_equal(mu_read(t.h, BSS_ADDR + 0x18000, 8), 0);
	host_reset(t.h, BOARD_RESET_POWER);
	check_empty();
	assert_int_equal(load(NULL), 0);
	check_runs();
}

/* A file of up to 64 KiB comes by the NSP's buffer. */
static void test_buffer(void **state)
{
	for (size_t i = 0; i < len; i++)
		mu_write(t.h, BD_NSP_BUF_ADDR + i, file[i], 1);
	/* Not outside of this buffer, and not beyond its end */
	assert_int_equal(nsp_at(0x070020ull << 40 | BD_RES_ADDR, FW_LOAD << 16, len, NULL), EINVAL);
	assert_int_equal(nsp(FW_LOAD, BD_NSP_BUF_SIZE + 1, NULL), EINVAL);
	check_empty();
	assert_int_equal(nsp(FW_LOAD, len, NULL), 0);
	check_runs();
}

static void test_damaged(void **state)
{
	uint32_t ret;

	at(S_MIP)[0] = 'X';
	assert_int_equal(load(&ret), ENOEXEC);
	assert_int_equal(ret, FAILED(CANNOT_PARSE));
	make(2);
	len /= 2;
	assert_int_equal(load(&ret), ENOEXEC);
	make(4);	/* for a card with four ports */
	assert_int_equal(load(&ret), EINVAL);
	assert_int_equal(ret, FAILED(0u));
	make(2);
	at(S_DATA)[0] = FW_APP_FLOWER;
	assert_int_equal(load(&ret), EINVAL);
	make(2);
	shdr[S_BSS].sh_type = htole32(SHT_PROGBITS);	/* at addresses where the card has no memory */
	shdr[S_BSS].sh_addr = htole64(0x80000000);
	shdr[S_BSS].sh_size = htole64(64);
	assert_int_equal(load(&ret), EINVAL);
	check_empty();
	make(2);
	assert_int_equal(load(NULL), 0);
	check_runs();
}

/* Lists that do not make a file of the length that the command gives */
static void test_list(void **state)
{
	uint8_t *e = t.h->mem + 16;
	uint32_t good = len;

	assert_int_equal(load(NULL), 0);
	assert_int_equal(nsp(SOFT_RESET, 0, NULL), 0);
#define REFUSED(at, length, result) \
	assert_int_equal(nsp_at(at, FW_LOAD << 16 | DMA, length, NULL), result)
	REFUSED(HOST_BASE, 0, EFBIG);
	REFUSED(HOST_BASE, LOAD_MAX + 1, EFBIG);
	REFUSED(HOST_BASE, good + 1, EINVAL);
	REFUSED(HOST_BASE, good - 1, EINVAL);
	REFUSED(HOST_BASE + HOST_SIZE, good, EFAULT);
	bd_put64(e + 8, HOST_BASE + HOST_SIZE - PIECE / 2);
	REFUSED(HOST_BASE, good, EFAULT);
	bd_put32(e, 0);
	REFUSED(HOST_BASE, good, EINVAL);
	bd_put32(t.h->mem, PIECES_MAX + 1);
	REFUSED(HOST_BASE, good, EINVAL);
	bd_put32(t.h->mem, 0);
	REFUSED(HOST_BASE, good, EINVAL);
	/* The other commands take no list. */
	assert_int_equal(nsp_at(HOST_BASE, IDENTIFY << 16 | DMA, 64, NULL), EOPNOTSUPP);
	/* No piece is read without bus mastering. */
	cfg_write(t.h, 4, 2, 2);
	assert_int_equal(load(NULL), EFAULT);
	check_empty();
	cfg_write(t.h, 4, 6, 2);
	assert_int_equal(load(NULL), 0);
	check_runs();
}

/* A card with firmware in its flash takes none of the host, also after a soft reset. */
static void test_flash(void **state)
{
	uint32_t ret;

	host_set(t.h, "firmware", "public");
	assert_int_equal(load(&ret), EBUSY);
	assert_int_equal(nsp(SOFT_RESET, 0, NULL), 0);
	assert_int_equal(load(&ret), EBUSY);
	assert_int_equal(ret, FAILED(0u));
	assert_int_equal(nsp(FW_STORED, 0, &ret), 0);
	assert_int_equal(ret, 0x100);
}

#define EMPTY_TEST(f)	cmocka_unit_test_setup_teardown(f, setup_empty, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EMPTY_TEST(test_empty),
		EMPTY_TEST(test_empty_frames),
		EMPTY_TEST(test_load),
		EMPTY_TEST(test_resets),
		EMPTY_TEST(test_buffer),
		EMPTY_TEST(test_damaged),
		EMPTY_TEST(test_list),
		EMPTY_TEST(test_flash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
