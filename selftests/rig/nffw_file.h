/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nffw_file.h - make a small firmware file in memory, section by section. The test includes it once,
 * after cmocka.h.
 */
#ifndef NFFW_FILE_H
#define NFFW_FILE_H

#include <elf.h>
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fw_image.h"

#define FILE_LEN	8192
#define EMEM		(24u << 24 | FW_MEM_MU)

static uint8_t file[FILE_LEN];
static size_t len;
static Elf64_Shdr *shdr;	/* in @file */

/* Append bytes, aligned to 8. Return their offset. */
static size_t append(const void *data, size_t n)
{
	size_t at = (len + 7) & ~(size_t)7;

	assert_true(at + n <= sizeof(file));
	if (n)
		memcpy(file + at, data, n);
	len = at + n;
	return at;
}

/* Begin a file with room for the headers of @sections, whose names are in section @names. */
static void file_begin(uint16_t sections, uint16_t names)
{
	Elf64_Ehdr e = { .e_type = htole16(ET_REL), .e_machine = htole16(0x6000),
			 .e_shoff = htole64(sizeof(e)), .e_shentsize = htole16(sizeof(Elf64_Shdr)),
			 .e_shnum = htole16(sections), .e_shstrndx = htole16(names) };

	memset(file, 0, sizeof(file));
	len = 0;
	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	append(&e, sizeof(e));
	shdr = (Elf64_Shdr *)(file + len);
	len += sections * sizeof(*shdr);
}

static void section(int i, uint32_t name, uint32_t type, uint64_t addr, uint32_t info,
		    const void *data, size_t n)
{
	shdr[i] = (Elf64_Shdr){
		.sh_name = htole32(name), .sh_type = htole32(type), .sh_addr = htole64(addr),
		.sh_info = htole32(info), .sh_size = htole64(n),
		.sh_offset = htole64(data ? append(data, n) : 0),
	};
}

/* The note that says where the MIP is: at the beginning of section @mip */
static void section_note(int i, uint32_t name, uint32_t mip)
{
	const uint32_t note[] = { htole32(4), htole32(12), htole32(0x102), htole32('N' | 'F' << 8),
				  htole32(mip), 0, 0 };

	section(i, name, SHT_NOTE, 0, 0, note, sizeof(note));
}

static void section_mip(int i, uint32_t name)
{
	uint32_t mip[27] = { htole32(FW_MIP_SIGNATURE), htole32(1), htole32(0x6c), htole32(0x60),
			     htole32(0x20006), htole32(124), htole32(0x5bb56775) };

	memcpy(&mip[12], "bpf-2.0.6.124", 13);
	memcpy(&mip[16], "nfld 6.x-devel", 14);
	section(i, name, SHT_PROGBITS, 0x81a000, EMEM, mip, sizeof(mip));
}

static void symbol(uint8_t *to, uint16_t name, uint8_t island, uint32_t addr, uint32_t size)
{
	const uint32_t a = htole32(addr), s = htole32(size);

	memset(to, 0, FW_SYM_SIZE);
	to[0] = FW_SYM_OBJECT;
	to[1] = FW_TGT_MU;
	to[2] = island;
	memcpy(to + 4, &a, 4);
	to[8] = name & 0xff;
	to[9] = name >> 8;
	to[10] = 0xff;
	memcpy(to + 12, &s, 4);
}

/* Return: where a name is in a table of names. */
static uint32_t at_name(const char *table, size_t size, const char *name)
{
	return (uint32_t)((const char *)memmem(table, size, name, strlen(name) + 1) - table);
}

/* Return: the contents of a section. */
static uint8_t *at(int i)
{
	return file + le64toh(shdr[i].sh_offset);
}

#endif /* NFFW_FILE_H */
