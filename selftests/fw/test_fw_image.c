// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fw_image.c - the reader of firmware files, with a small file that the test makes: what it
 * reads, and that it refuses damaged files with a reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "fw_profile.h"
#include "nffw_file.h"

enum { S_NULL, S_NAMES, S_NOTE, S_MIP, S_SYMS, S_SYM_NAMES, S_DATA, S_CODE, S_BAR, SECTIONS };

#define DATA_ADDR	0x81b000
#define CAPS_LEN	fw_public.caps_len

/* Symbols of .data, each with its offset there */
enum { AT_APP = 0, AT_PORTS = 8, AT_CAPS = 16 };

static char path[] = "/tmp/nfpchan-image.XXXXXX";
static struct fw_image img;
static char err[512];

/* The names of sections and symbols, and where each begins */
static const char names[] = "\0.shstrtab\0.note.nfp\0.mip\0.rtsymtab\0.rtstrtab\0.data\0.text.i32.me0\0.bar";
static const char sym_names[] =
	"_pf0_net_app_id\0nfd_cfg_pf0_num_ports\0_abi_bpf_capabilities\0_pf0_net_bar0";

#define NAME(s)		at_name(names, sizeof(names), s)
#define SYM_NAME(s)	((uint16_t)at_name(sym_names, sizeof(sym_names), s))

/* Make the small file: the public firmware's capabilities, two ports, and one microengine. */
static int make(void **state)
{
	uint8_t syms[4 * FW_SYM_SIZE], data[16 + FW_CAPS_MAX] = { FW_APP_BPF };
	static const uint64_t code[3] = { 1, 2, 3 };

	file_begin(SECTIONS, S_NAMES);
	data[AT_PORTS] = 2;
	memcpy(data + AT_CAPS, fw_public.caps, CAPS_LEN);
	symbol(syms, SYM_NAME("_pf0_net_app_id"), 24, DATA_ADDR + AT_APP, 8);
	symbol(syms + 16, SYM_NAME("nfd_cfg_pf0_num_ports"), 24, DATA_ADDR + AT_PORTS, 8);
	symbol(syms + 32, SYM_NAME("_abi_bpf_capabilities"), 24, DATA_ADDR + AT_CAPS,
	       (uint32_t)CAPS_LEN);
	symbol(syms + 48, SYM_NAME("_pf0_net_bar0"), 24, 0x808000, 0x10000);
	section(S_NAMES, NAME(".shstrtab"), SHT_STRTAB, 0, 0, names, sizeof(names));
	section_note(S_NOTE, NAME(".note.nfp"), S_MIP);
	section_mip(S_MIP, NAME(".mip"));
	section(S_SYMS, NAME(".rtsymtab"), SHT_PROGBITS, 0, EMEM, syms, sizeof(syms));
	section(S_SYM_NAMES, NAME(".rtstrtab"), SHT_PROGBITS, 0, EMEM, sym_names, sizeof(sym_names));
	section(S_DATA, NAME(".data"), SHT_PROGBITS, DATA_ADDR, EMEM, data, AT_CAPS + CAPS_LEN);
	section(S_CODE, NAME(".text.i32.me0"), SHT_PROGBITS, 0, 32u << 24 | FW_MEM_CODE, code,
		sizeof(code));
	section(S_BAR, NAME(".bar"), SHT_NOBITS, 0x808000, EMEM, NULL, 0x10000);
	return 0;
}

static int open_file(size_t n)
{
	FILE *f = fopen(path, "we");
	int ret;

	assert_non_null(f);
	assert_int_equal(fwrite(file, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	memset(err, 0, sizeof(err));
	ret = fw_image_open(&img, path, err, sizeof(err));
	return ret;
}

/* The file is refused, with a reason that has @text. */
static void refused(const char *text)
{
	assert_int_equal(open_file(len), -EINVAL);
	if (!strstr(err, text))
		fail_msg("\"%s\" is not in \"%s\"", text, err);
}

static void test_valid(void **state)
{
	struct fw_profile p;
	struct fw_caps c;

	assert_int_equal(open_file(len), 0);
	assert_int_equal(img.sections, SECTIONS);
	assert_int_equal(img.syms, 4);
	assert_string_equal(img.mip.name, "bpf-2.0.6.124");
	assert_string_equal(img.mip.toolchain, "nfld 6.x-devel");
	assert_int_equal(img.mip.build, 124);
	assert_int_equal(img.mip_addr, 0x81a000);
	assert_int_equal(img.mip_island, 24);
	assert_int_equal(img.section[S_CODE].mem, FW_MEM_CODE);
	assert_int_equal(img.section[S_CODE].island, 32);
	assert_int_equal(img.section[S_CODE].size, 3 * FW_WORD_SIZE);
	assert_null(fw_image_data(&img, fw_image_sym(&img, "_pf0_net_bar0")));
	assert_null(fw_image_sym(&img, "none"));
	assert_int_equal(fw_profile_image(&p, &img, "x", err, sizeof(err)), 0);
	assert_int_equal(p.app, FW_APP_BPF);
	assert_int_equal(p.ports, 2);
	assert_false(p.no_bar);
	assert_int_equal(p.caps_len, CAPS_LEN);
	assert_memory_equal(p.caps, fw_public.caps, CAPS_LEN);
	assert_int_equal(fw_caps_parse(p.caps, p.caps_len, &c), 0);
	assert_int_equal(c.abi, 2);
	assert_int_equal(c.funcs, 2);
	assert_int_equal(c.maps.elems, 3072000);
	fw_image_close(&img);
	assert_int_equal(fw_profile_get(&p, path, err, sizeof(err)), 0);
	assert_string_equal(p.name, path);
}

/* Cut off anywhere, the file is refused: the last bytes are the microengine's code. */
static void test_truncated(void **state)
{
	size_t n;

	for (n = 0; n < len; n++) {
		assert_int_equal(open_file(n), -EINVAL);
		assert_string_not_equal(err, "");
		assert_null(img.file);
	}
}

static void test_no_firmware(void **state)
{
	struct fw_profile p;

	((Elf64_Ehdr *)file)->e_machine = htole16(EM_X86_64);
	refused("not a firmware file");
	make(state);
	file[EI_CLASS] = ELFCLASS32;
	refused("not a firmware file");
	memcpy(file, "\xfd" "7zXZ", 6);
	refused("compressed by xz: unpack it first (xz -dk FILE)");
	memcpy(file, "\x28\xb5\x2f\xfd", 4);
	refused("compressed by zstd");
	assert_int_equal(fw_image_open(&img, "/dev/null", err, sizeof(err)), -EINVAL);
	assert_int_equal(fw_image_open(&img, "/does/not/exist", err, sizeof(err)), -ENOENT);
	assert_int_equal(fw_profile_get(&p, "most", err, sizeof(err)), -ENOENT);
}

static void test_sections(void **state)
{
	shdr[S_CODE].sh_size = htole64(len);
	refused("section 7 reaches beyond the end");
	make(state);
	shdr[S_DATA].sh_offset = htole64(UINT64_MAX - 7);
	refused("section 6 reaches beyond the end");
	make(state);
	((Elf64_Ehdr *)file)->e_shnum = htole16(0xffff);
	refused("65535 section headers");
	make(state);
	((Elf64_Ehdr *)file)->e_shstrndx = htole16(SECTIONS);
	refused("section headers");
	make(state);
	shdr[S_DATA].sh_name = htole32(sizeof(names));
	refused("section 6 has no name");
	make(state);
	at(S_NAMES)[sizeof(names) - 1] = 'x';	/* the last name has no end */
	refused("section 8 has no name");
}

static void test_mip(void **state)
{
	shdr[S_NOTE].sh_name = htole32(NAME(".bar"));
	refused("no note .note.nfp");
	make(state);
	at(S_NOTE)[0] = 0xff;		/* the note's name is longer than the section */
	refused("no note .note.nfp");
	make(state);
	at(S_NOTE)[16] = SECTIONS;	/* the section does not exist */
	refused("no note .note.nfp");
	make(state);
	at(S_NOTE)[20] = 0x10;
	refused("no MIP at offset 0x10 of section .mip");
	make(state);
	at(S_MIP)[0] = 'X';
	refused("no MIP at offset 0x0");
}

static void test_symbols(void **state)
{
	shdr[S_SYMS].sh_name = htole32(NAME(".bar"));
	refused("no table of run-time symbols");
	make(state);
	shdr[S_SYMS].sh_size = htole64(FW_SYM_SIZE + 1);
	refused("no table of run-time symbols");
	make(state);
	at(S_SYMS)[16 + 9] = 0xff;
	refused("run-time symbol 1 has no name");
	make(state);
	at(S_SYM_NAMES)[sizeof(sym_names) - 1] = 'x';
	refused("run-time symbol 3 has no name");
}

/* The file is read, but it makes no profile, for a reason that has @text. */
static void no_profile(const char *text)
{
	struct fw_profile p;

	assert_int_equal(open_file(len), 0);
	assert_int_equal(fw_profile_image(&p, &img, "x", err, sizeof(err)), -EINVAL);
	if (!strstr(err, text))
		fail_msg("\"%s\" is not in \"%s\"", text, err);
	fw_image_close(&img);
	assert_int_equal(fw_profile_get(&p, path, err, sizeof(err)), -EINVAL);
}

static void test_profile(void **state)
{
	at(S_SYM_NAMES)[0] = 'x';
	no_profile("_pf0_net_app_id");
	make(state);
	at(S_SYMS)[16 + 2] = 25;		/* of another island, which has no data */
	no_profile("nfd_cfg_pf0_num_ports");
	make(state);
	at(S_DATA)[AT_PORTS] = 3;
	no_profile("a control BAR for each port");
	make(state);
	at(S_SYMS)[32 + 12] -= 4;		/* the capabilities end within one */
	no_profile("_abi_bpf_capabilities are not valid");
	make(state);
	at(S_SYMS)[32 + 13] = 0xff;		/* they are longer than the section */
	no_profile("_abi_bpf_capabilities are not valid");
	make(state);
	at(S_DATA)[AT_CAPS + 4] = 16;		/* adjust_head of 16 bytes instead of 20 */
	no_profile("_abi_bpf_capabilities are not valid");
}

/* Each byte changed: the file is read or refused, and the sanitizers find nothing. */
static void test_mutated(void **state)
{
	static const uint8_t values[] = { 0xff, 0x80, 1 };
	struct fw_profile p;
	unsigned int v;
	size_t i;
	int ret;

	for (v = 0; v < sizeof(values); v++)
		for (i = 0; i < len; i++) {
			file[i] ^= values[v];
			ret = open_file(len);
			file[i] ^= values[v];
			assert_true(!ret || (ret == -EINVAL && *err));
			if (!ret)
				fw_profile_image(&p, &img, "x", err, sizeof(err));
			fw_image_close(&img);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_valid, make),
		cmocka_unit_test_setup(test_truncated, make),
		cmocka_unit_test_setup(test_no_firmware, make),
		cmocka_unit_test_setup(test_sections, make),
		cmocka_unit_test_setup(test_mip, make),
		cmocka_unit_test_setup(test_symbols, make),
		cmocka_unit_test_setup(test_profile, make),
		cmocka_unit_test_setup(test_mutated, make),
	};
	int fd = mkstemp(path), ret;

	if (fd < 0)
		return 1;
	close(fd);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return ret;
}
