// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_fw_graft.c - graft code onto a small firmware file, which the test makes: what the new file
 * has, and what is refused. selftests/fw/public.t does the same with the vendor's files.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "fw_check.h"
#include "fw_code.h"
#include "fw_graft.h"
#include "fw_space.h"
#include "fw_workers.h"

#define MIP_ADDR	0x810000u
#define SYMS_ADDR	0x811000u
#define NAMES_ADDR	0x811800u
#define BAR_ADDR	0x880000u
#define CSR(me, csr)	(36u << 24 | 1u << 16 | ((me) + 4u) << 10 | (csr))
#define ID(me)		(36u << 4 | ((me) + 4u))
#define REGS		17	/* that the loader sets in each worker */
#define WORKER_MES	3	/* me7 to me9; me7 has initialisation code */

static char base_path[] = "/tmp/nfpchan-base.XXXXXX", obj_path[] = "/tmp/nfpchan-obj.XXXXXX";
static struct fw_image base, obj;
static char err[512];

/* ---- files ---- */

/* Begin a file: no section but that of the names */
static void begin(struct fw_image *img, const char *path)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Shdr h[2];
		char names[16];
	} f = {
		.e = { .e_type = htole16(ET_REL), .e_machine = htole16(0x6000),
		       .e_shoff = htole64(sizeof(f.e)), .e_shentsize = htole16(sizeof(Elf64_Shdr)),
		       .e_shnum = htole16(2), .e_shstrndx = htole16(1) },
		.names = "\0.shstrtab",
	};
	FILE *out = fopen(path, "we");

	memcpy(f.e.e_ident, ELFMAG, SELFMAG);
	f.e.e_ident[EI_CLASS] = ELFCLASS64;
	f.e.e_ident[EI_DATA] = ELFDATA2LSB;
	f.h[1] = (Elf64_Shdr){ .sh_name = htole32(1), .sh_type = htole32(SHT_STRTAB),
			       .sh_offset = htole64(sizeof(f) - sizeof(f.names)),
			       .sh_size = htole64(sizeof(f.names)) };
	assert_non_null(out);
	assert_int_equal(fwrite(&f, sizeof(f), 1, out), 1);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(fw_object_open(img, path, err, sizeof(err)), 0);
}

static unsigned int add(struct fw_image *img, const char *name, uint32_t type, uint32_t info,
			uint64_t addr, const void *data, uint64_t size)
{
	const struct fw_section s = { .name = name, .type = type, .info = info, .addr = addr,
				      .data = data, .size = size, .flags = SHF_ALLOC, .align = 64 };
	unsigned int n;

	assert_int_equal(fw_edit_add(img, &s, &n), 0);
	return n;
}

static unsigned int add_data(struct fw_image *img, const char *name, uint32_t info, uint64_t addr,
			     const void *data, uint64_t size)
{
	return add(img, name, data ? SHT_PROGBITS : SHT_NOBITS, info, addr, data, size);
}

/* Write a file, and close the image. */
static int write_file(struct fw_image *img, const char *path)
{
	uint8_t *bytes;
	size_t len;
	FILE *out;

	assert_int_equal(fw_edit_bytes(img, &bytes, &len, err, sizeof(err)), 0);
	fw_image_close(img);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	free(bytes);
	return fclose(out);
}

/* Write a file, and open it again. */
static void finish(struct fw_image *img, const char *path, bool object)
{
	assert_int_equal(write_file(img, path), 0);
	err[0] = 0;
	if (object ? fw_object_open(img, path, err, sizeof(err)) :
	    fw_image_open(img, path, err, sizeof(err)))
		fail_msg("%s", err);
}

static void reg(uint8_t *to, uint32_t which, unsigned int ctx, uint32_t value)
{
	fw_put32(to, 0x02000000 | ctx << 28);
	fw_put32(to + 4, which);
	fw_put32(to + 8, value);
	fw_put32(to + 12, UINT32_MAX);
}

static void sym(uint8_t *to, uint16_t name, uint8_t target, uint8_t island, uint8_t me,
		uint32_t addr, uint32_t size)
{
	memset(to, 0, FW_SYM_SIZE);
	to[0] = FW_SYM_OBJECT;
	to[1] = target;
	to[2] = island;
	fw_put32(to + 4, addr);
	to[8] = name & 0xff;
	to[9] = name >> 8;
	to[10] = me;
	fw_put32(to + 12, size);
}

static void put_worker(uint8_t *csrs, unsigned int me)
{
	char text[32], data[32], zeros[32];
	const uint64_t code[2] = { htole64(fw_ecc(1)), htole64(fw_ecc(2)) };

	snprintf(text, sizeof(text), ".text.i36.me%u", me);
	snprintf(data, sizeof(data), ".ldata.i36.me%u", me);
	snprintf(zeros, sizeof(zeros), ".lbss.i36.me%u", me);
	add_data(&base, text, fw_section_info(36, me, FW_MEM_CODE), 0, code, sizeof(code));
	add_data(&base, zeros, fw_section_info(36, me, FW_MEM_LOCAL), 0, NULL, 0x900);
	add_data(&base, data, fw_section_info(36, me, FW_MEM_LOCAL), 0x900, "worker", 8);
	reg(csrs, CSR(me, 0x18), 0, 0x90005500);
	for (unsigned int ctx = 0; ctx < 8; ctx++) {
		reg(csrs + 16 + 32 * ctx, CSR(me, 0x40), ctx, 0);
		reg(csrs + 32 + 32 * ctx, CSR(me, 0x50), ctx, 0x00010000 | !(ctx % 2));
	}
}

#define NAMES	"\0i34.me10._cfg_mes_ids\0i34.me10._dp_mes_ids\0i36.me8.EBPF_STACK_BASE\0_pf0_net_bar0\0_abi_bpf_capabilities"

static uint16_t name_at(const char *name)
{
	static const char names[] = NAMES;

	return (uint16_t)((const char *)memmem(names, sizeof(names), name, strlen(name) + 1) - names);
}

static void put_tables(void)
{
	uint32_t mip[27] = { htole32(FW_MIP_SIGNATURE), htole32(1), htole32(0x6c), htole32(0x60) };
	uint32_t note[] = { htole32(4), htole32(12), htole32(0x102), htole32('N' | 'F' << 8), 0, 0, 0 };
	uint8_t syms[5 * FW_SYM_SIZE];

	sym(syms, name_at("i34.me10._cfg_mes_ids"), FW_TGT_LOCAL, 34, 10, 0, 4 * WORKER_MES);
	sym(syms + 16, name_at("i34.me10._dp_mes_ids"), FW_TGT_LOCAL, 34, 10, 0x20, 4 * WORKER_MES);
	sym(syms + 32, name_at("i36.me8.EBPF_STACK_BASE"), FW_TGT_LOCAL, 36, 8, 0, 0x800);
	sym(syms + 48, name_at("_pf0_net_bar0"), FW_TGT_MU, 24, 0xff, BAR_ADDR, 0x10000);
	sym(syms + 64, name_at("_abi_bpf_capabilities"), FW_TGT_MU, 24, 0xff, MIP_ADDR, 8);
	mip[8] = htole32(SYMS_ADDR);
	mip[9] = htole32(sizeof(syms));
	mip[10] = htole32(NAMES_ADDR);
	mip[11] = htole32(sizeof(NAMES));
	memcpy(&mip[12], "bpf-1.2.3.4", 12);
	note[4] = htole32(add_data(&base, ".mip", fw_section_info(24, 0, FW_MEM_MU), MIP_ADDR, mip,
				   sizeof(mip)));
	add(&base, ".note.nfp", SHT_NOTE, 0, 0, note, sizeof(note));
	add_data(&base, ".rtsymtab", fw_section_info(24, 0, FW_MEM_MU), SYMS_ADDR, syms, sizeof(syms));
	add_data(&base, ".rtstrtab", fw_section_info(24, 0, FW_MEM_MU), NAMES_ADDR, NAMES, sizeof(NAMES));
	add_data(&base, ".bar", fw_section_info(24, 0, FW_MEM_MU), BAR_ADDR, NULL, 0x10000);
}

static int make(void **state)
{
	uint8_t csrs[WORKER_MES * REGS * 16];
	uint32_t local[16] = { htole32(ID(7)), htole32(ID(8)), htole32(ID(9)) };
	const uint64_t code[1] = { htole64(fw_ecc(3)) };

	(void)state;
	memcpy(local + 8, local, 12);
	begin(&base, base_path);
	put_tables();
	add_data(&base, ".text.i34.me10", fw_section_info(34, 10, FW_MEM_CODE), 0, code, 8);
	add_data(&base, ".ldata.i34.me10", fw_section_info(34, 10, FW_MEM_LOCAL), 0, local,
		 sizeof(local));
	for (unsigned int me = 7; me <= 9; me++)
		put_worker(csrs + REGS * 16 * (me - 7), me);
	add_data(&base, ".init.i36.me7", fw_section_info(36, 7, FW_MEM_CODE), 0, code, 8);
	add(&base, ".regt.mecsr.i36", FW_SECTION_INITREG, 0, 0, csrs, sizeof(csrs));
	finish(&base, base_path, false);
	begin(&obj, obj_path);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	fw_image_close(&base);
	fw_image_close(&obj);
	return 0;
}

/* ---- what a graft makes ---- */

static int graft(unsigned int objects, const struct fw_graft_idle *idle, unsigned int idles)
{
	const char *path = "obj.o";
	const struct fw_graft g = { &obj, &path, objects, idle, idles };

	return fw_graft(&base, &g, err, sizeof(err));
}

static void grafted(void)
{
	struct fw_checked c;

	finish(&base, base_path, false);
	if (fw_check(&base, &c, err, sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(c.workers, WORKER_MES);
	assert_int_equal(c.mes, 1 + WORKER_MES);
}

static uint32_t local_word(unsigned int island, unsigned int me, uint64_t at)
{
	char name[32];
	const struct fw_section *s;

	snprintf(name, sizeof(name), ".ldata.i%u.me%u", island, me);
	s = fw_image_section(&base, name);
	return fw_get32(s->data + at - s->addr);
}

static void idle_worker(void **state)
{
	const struct fw_section *csrs, *text;
	unsigned int island, me;
	uint64_t last;

	(void)state;
	assert_int_equal(graft(0, &(struct fw_graft_idle){ 36, 8 }, 1), 0);
	grafted();
	text = fw_image_code(&base, 36, 8);
	assert_int_equal(text->size, 8 * FW_IDLE_WORDS);
	memcpy(&last, text->data + text->size - 8, 8);
	assert_int_equal(le64toh(last) & 0x1ffffffffff, 0xe000010000);	/* ctx_arb[kill] */
	for (unsigned int list = 0; list < 0x40; list += 0x20) {
		assert_int_equal(local_word(34, 10, list), ID(7));
		assert_int_not_equal(local_word(34, 10, list + 4), ID(8));
		assert_int_equal(local_word(34, 10, list + 8), ID(9));
	}
	csrs = fw_image_section(&base, ".regt.mecsr.i36");
	for (uint64_t at = 0; at < csrs->size; at += 16) {
		bool ours = at / (REGS * 16) == 1, enables = at % (REGS * 16) == 0;
		bool wakeup = (fw_get32(csrs->data + at + 4) & 0x3ff) == 0x50;
		uint32_t ctx = fw_get32(csrs->data + at) >> 28;
		uint32_t was = enables ? 0x90005500 : wakeup ? 0x10000 | !(ctx % 2) : 0;

		assert_int_equal(fw_get32(csrs->data + at + 8), !ours ? was : enables ? 0x1000ff00 :
				 wakeup ? 0x10001 : 0);
	}
	assert_string_equal(base.mip.name, "bpf-1.2.3.4+c");
	assert_true(fw_grafted(&base, 0, &island, &me));
	assert_true(island == 36 && me == 8);
	assert_false(fw_grafted(&base, 1, &island, &me));
	assert_null(fw_image_sym(&base, "i36.me8.EBPF_STACK_BASE"));
	assert_non_null(fw_image_sym(&base, "_pf0_net_bar0"));
}

#define IMMED(bank)	((bank) ? 0xf000000300ull : 0xf0000c0000ull)	/* the low byte is in B or A */

struct reloc {
	uint32_t type;
	uint32_t sym;
	int64_t add;
};

/* The object of the tests: code with relocations, local memory, and a buffer in EMEM */
static void object(const struct reloc *r, unsigned int n)
{
	uint64_t code[8];
	Elf64_Rela rela[8];
	Elf64_Sym syms[5] = { { 0 } };
	unsigned int text, strings, buf, table;

	for (unsigned int i = 0; i < n; i++) {
		code[i] = htole64(fw_ecc(IMMED(r[i].type == FW_REL_LO16_B || r[i].type == FW_REL_HI16_B)));
		rela[i] = (Elf64_Rela){ htole64(8 * i), htole64(ELF64_R_INFO((uint64_t)r[i].sym, r[i].type)),
					(Elf64_Sxword)htole64((uint64_t)r[i].add) };
	}
	text = add_data(&obj, ".text.i36.me9", fw_section_info(36, 9, FW_MEM_CODE), 0, code, 8 * n);
	add_data(&obj, ".ldata.i36.me9", fw_section_info(36, 9, FW_MEM_LOCAL), 16, "ours", 4);
	add_data(&obj, ".lbss.i36.me9", fw_section_info(36, 9, FW_MEM_LOCAL), 20, NULL, 12);
	buf = add_data(&obj, ".emem.buf", fw_section_info(24, 0, FW_MEM_MU), 0, NULL, 0x1000);
	strings = add(&obj, ".strtab", SHT_STRTAB, 0, 0, "\0buf\0_pf0_net_bar0", 19);
	syms[1] = (Elf64_Sym){ .st_name = htole32(1), .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
			       .st_shndx = htole16((uint16_t)buf), .st_value = htole64(0x40),
			       .st_size = htole64(0x80) };
	syms[2] = (Elf64_Sym){ .st_name = htole32(5), .st_info = ELF64_ST_INFO(STB_GLOBAL, 0) };
	for (unsigned int i = 3; i < 5; i++)
		syms[i] = (Elf64_Sym){ .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				       .st_shndx = htole16((uint16_t)text),
				       .st_value = htole64(i == 3 && n > 2 ? 16 : 0) };
	table = add(&obj, ".symtab", SHT_SYMTAB, 0, 0, syms, sizeof(syms));
	obj.section[table].link = strings;
	add(&obj, ".rela.text.i36.me9", SHT_RELA, text, 0, rela, n * sizeof(*rela));
	finish(&obj, obj_path, true);
}

/* Return the 16 bits that an immed of the grafted code has. */
static uint32_t immediate(unsigned int i, bool b)
{
	uint64_t w;

	memcpy(&w, fw_image_code(&base, 36, 9)->data + 8 * i, 8);
	w = le64toh(w);
	assert_int_equal(fw_ecc(w), w);
	return (uint32_t)((w >> 20 & 0xff) << 8 | (w >> (b ? 10 : 0) & 0xff));
}

static void object_worker(void **state)
{
	static const struct reloc r[] = {
		{ FW_REL_LO16_A, 1, 0 }, { FW_REL_HI16_B, 1, 0 }, { FW_REL_LO16_B, 2, 0x1234 },
		{ FW_REL_HI16_A, 2, 0x20000 },
	};
	const struct fw_section *zeros;
	struct fw_contexts c;
	const struct fw_sym *s;

	(void)state;
	object(r, 4);
	if (graft(1, NULL, 0))
		fail_msg("%s", err);
	grafted();
	s = fw_image_sym(&base, "buf");
	assert_non_null(s);
	assert_int_equal(s->size, 0x80);
	assert_int_equal(s->island, FW_EMEM_ISLAND);
	assert_int_equal(s->addr % 64, 0);	/* 0x40 in a section that is aligned to 64 */
	assert_int_equal(immediate(0, false), s->addr & 0xffff);
	assert_int_equal(immediate(1, true), s->addr >> 16);
	assert_int_equal(immediate(2, true), (BAR_ADDR + 0x1234) & 0xffff);
	assert_int_equal(immediate(3, false), (BAR_ADDR + 0x20000) >> 16);
	assert_memory_equal(fw_image_section(&base, ".ldata.i36.me9")->data + 16, "ours", 4);
	zeros = fw_image_section(&base, ".lbss.i36.me9");
	assert_int_equal(zeros->addr + zeros->size, 4096);
	assert_int_equal(zeros->addr, 32);
	assert_int_equal(fw_contexts(&base, 36, 9, &c), 0);
	assert_false(c.four);
	assert_int_equal(c.mask, 3);
	assert_true(c.pc[0] == 2 && c.pc[1] == 0);
}

/* An object of 1 MiB would fit behind .bar, and reach into the memory of the channels' managers. */
static void kept_memory(void **state)
{
	static const struct reloc r[] = { { FW_REL_LO16_A, 1, 0 } };

	(void)state;
	object(r, 1);
	fw_image_section(&obj, ".emem.buf")->size = 1 << 20;
	assert_int_equal(graft(1, NULL, 0), 0);
	assert_int_equal(fw_image_section(&base, ".emem.buf")->addr, FW_EMEM_CHAN_END);
}

/* ---- what is refused ---- */

static void refused(int ret, const char *text)
{
	assert_int_equal(ret, -EINVAL);
	if (!strstr(err, text))
		fail_msg("\"%s\" is not in \"%s\"", text, err);
}

static void code(unsigned int me, uint64_t size)
{
	static const uint64_t words[FW_CODE_MAX + 1];

	add_data(&obj, ".text", fw_section_info(36, me, FW_MEM_CODE), 0, words, size);
}

static void bad_workers(void **state)
{
	const struct fw_graft_idle both[] = { { 36, 8 }, { 36, 8 } };

	(void)state;
	refused(graft(0, &(struct fw_graft_idle){ 34, 10 }, 1), "i34.me10 is no worker");
	refused(graft(0, &(struct fw_graft_idle){ 36, 7 }, 1), "has initialisation code");
	refused(graft(0, both, 2), "i36.me8 is no worker");
	memcpy((void *)fw_image_sym(&base, "i34.me10._dp_mes_ids")->name + 9, "_other", 6);
	refused(graft(0, &(struct fw_graft_idle){ 36, 9 }, 1), "has no list of workers (_dp_mes_ids)");
}

static void other_firmware(void **state)
{
	(void)state;
	memcpy((char *)fw_image_sym(&base, "_abi_bpf_capabilities")->name, "_abi_nic", 8);
	refused(graft(0, &(struct fw_graft_idle){ 36, 8 }, 1), "bpf-1.2.3.4 is no BPF firmware");
}

static void last_worker(void **state)
{
	struct fw_section *s = fw_image_section(&base, ".ldata.i34.me10");

	(void)state;
	for (uint64_t at = 0; at < s->size; at += 4)
		if (fw_get32(s->data + at) == ID(7))
			fw_put32((uint8_t *)s->data + at, 35 << 4 | 4);
	assert_int_equal(graft(0, &(struct fw_graft_idle){ 36, 8 }, 1), 0);
	refused(graft(0, &(struct fw_graft_idle){ 36, 9 }, 1), "the last worker of island 36");
}

static void bad_code(void **state)
{
	(void)state;
	finish(&obj, obj_path, true);
	refused(graft(1, NULL, 0), "obj.o: no code of a microengine");
	code(8, 8 * (FW_CODE_MAX + 1));
	refused(graft(1, NULL, 0), "65544 bytes of code, must be 8 to 65536");
	obj.section[obj.sections - 1].size = 12;
	refused(graft(1, NULL, 0), "12 bytes of code");
	obj.section[obj.sections - 1].addr = 8;
	refused(graft(1, NULL, 0), "begin at address 0");
}

static void bad_memory(void **state)
{
	(void)state;
	code(8, 8);
	add_data(&obj, ".lbss", fw_section_info(36, 8, FW_MEM_LOCAL), 4000, NULL, 96);
	refused(graft(1, NULL, 0), "section .lbss ends at byte 4096 of local memory, the limit is 4092");
}

static void memory_of_another(void **state)
{
	(void)state;
	code(8, 8);
	add_data(&obj, ".lbss", fw_section_info(36, 9, FW_MEM_LOCAL), 0, NULL, 96);
	refused(graft(1, NULL, 0), "is of i36.me9, which has no code here");
}

static void unknown_memory(void **state)
{
	(void)state;
	code(8, 8);
	add_data(&obj, ".cls", fw_section_info(36, 0, FW_MEM_CLS), 0, NULL, 96);
	refused(graft(1, NULL, 0), "section .cls: no place can be found in memory 3 of island 36");
}

static void no_room(void **state)
{
	(void)state;
	code(8, 8);
	add_data(&obj, ".emem", fw_section_info(24, 0, FW_MEM_MU), 0, NULL, FW_EMEM_END);
	refused(graft(1, NULL, 0), "no room in EMEM for the 2147483648 bytes of section .emem");
}

/* An object that fits in no hole of the image reaches into nothing that the managers have. */
static void kept_high_memory(void **state)
{
	(void)state;
	code(8, 8);
	add_data(&obj, ".emem", fw_section_info(24, 0, FW_MEM_MU), 0, NULL, FW_EMEM_CHAN_HIGH);
	refused(graft(1, NULL, 0), "no room in EMEM for the 1241513984 bytes of section .emem");
}

static void bad_alignment(void **state)
{
	unsigned int n;

	(void)state;
	code(8, 8);
	n = add_data(&obj, ".emem", fw_section_info(24, 0, FW_MEM_MU), 0, NULL, 8);
	obj.section[n].align = 1ull << 63;
	refused(graft(1, NULL, 0), "is aligned to 9223372036854775808, must be a power of two up to 65536");
}

static void far_section(void **state)
{
	(void)state;
	add_data(&obj, ".emem", fw_section_info(24, 0, FW_MEM_MU), 0x800000, NULL, -16ull);
	assert_int_equal(write_file(&obj, obj_path), 0);
	refused(fw_object_open(&obj, obj_path, err, sizeof(err)), "address or a size of more than 40 bits");
}

static void bad_relocation(void **state)
{
	static const struct reloc r[] = { { 99, 1, 0 } };

	(void)state;
	object(r, 1);
	refused(graft(1, NULL, 0), "relocation of type 99");
}

static void unknown_symbol(void **state)
{
	static const struct reloc r[] = { { FW_REL_LO16_A, 2, 0 } };
	const struct fw_section *strings;

	(void)state;
	object(r, 1);
	strings = fw_image_section(&obj, ".strtab");
	memcpy((uint8_t *)strings->data + 5, "_none", 6);
	refused(graft(1, NULL, 0), "no symbol _none in the image, or in an object");
}

static void symbol_twice(void **state)
{
	static const struct reloc r[] = { { FW_REL_LO16_A, 1, 0 } };
	const struct fw_sym more = { .name = "buf", .type = FW_SYM_OBJECT, .target = FW_TGT_MU };

	(void)state;
	assert_int_equal(fw_edit_add_syms(&base, &more, 1), 0);
	object(r, 1);
	refused(graft(1, NULL, 0), "the image has a symbol buf already");
}

/* ---- what a check finds ---- */

static void checks(void **state)
{
	struct fw_section *s;
	struct fw_checked c;
	uint8_t *data;

	(void)state;
	assert_int_equal(fw_check(&base, &c, err, sizeof(err)), 0);
	s = fw_image_code(&base, 36, 8);
	((uint8_t *)s->data)[0] ^= 4;
	refused(fw_check(&base, &c, err, sizeof(err)), "section .text.i36.me8: instruction 0");
	((uint8_t *)s->data)[0] ^= 4;
	data = (uint8_t *)fw_image_section(&base, ".mip")->data;
	data[FW_MIP_SYM_SIZE] ^= 16;
	refused(fw_check(&base, &c, err, sizeof(err)), "the MIP says");
	data[FW_MIP_SYM_SIZE] ^= 16;
	data = (uint8_t *)fw_image_section(&base, ".regt.mecsr.i36")->data;
	data[8 + 3] = 0x10;	/* CTX_ENABLES of me7 */
	refused(fw_check(&base, &c, err, sizeof(err)), "i36.me7, which does not run four contexts");
	data[8 + 3] = 0x90;
	s = fw_image_section(&base, ".bar");
	s->addr = MIP_ADDR;
	refused(fw_check(&base, &c, err, sizeof(err)), "unknown layout: byte");
	finish(&base, base_path, false);
	refused(fw_check(&base, &c, err, sizeof(err)), "sections .mip and .bar overlap");
}

#define T(f)	cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(idle_worker), T(object_worker), T(kept_memory), T(bad_workers), T(other_firmware), T(last_worker), T(bad_code),
		T(bad_memory), T(memory_of_another), T(unknown_memory), T(no_room), T(kept_high_memory), T(bad_alignment), T(far_section), T(bad_relocation),
		T(unknown_symbol), T(symbol_twice), T(checks),
	};
	int fd = mkstemp(base_path), fd2 = mkstemp(obj_path), ret;

	if (fd < 0 || fd2 < 0)
		return 1;
	close(fd);
	close(fd2);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(base_path);
	unlink(obj_path);
	return ret;
}
