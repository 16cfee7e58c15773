/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_image.h - read a firmware file of the card (.nffw), as Debian's package firmware-netronome
 * has them.
 *
 * A firmware file is a relocatable ELF file of 64 bits, little endian, of machine 0x6000. Each
 * section with contents is loaded into one memory: sh_info has the island, the microengine and the
 * kind of memory. The section .rtsymtab has the run-time symbols in the format that the driver
 * reads on the card (nfpcore/nfp_rtsym.c). The note .note.nfp says where the MIP is, which
 * describes the firmware to the host (nfpcore/nfp_mip.c).
 *
 * The file is data from anywhere: all offsets and sizes are checked. No function is thread safe
 * for one image.
 */
#ifndef FW_IMAGE_H
#define FW_IMAGE_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Return: the 32-bit word at @p, which need not be aligned. */
static inline uint32_t fw_get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t fw_get64(const uint8_t *p)
{
	return fw_get32(p) | (uint64_t)fw_get32(p + 4) << 32;
}

static inline void fw_put32(uint8_t *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

#define FW_SECTION_DATA		1	/* ELF: SHT_PROGBITS */
#define FW_SECTION_ZERO		8	/* ELF: SHT_NOBITS */
#define FW_SECTION_INITREG	0x70000002	/* registers that the loader writes */

/* Kinds of memory of a section */
#define FW_MEM_NONE		0
#define FW_MEM_CODE		1	/* code store of a microengine */
#define FW_MEM_LOCAL		2	/* local memory of a microengine */
#define FW_MEM_CLS		3
#define FW_MEM_MU		4	/* EMEM, IMEM, or CTM of an island */
#define FW_MEM_EMU_CACHE	9	/* memory of an EMEM island's cache, accessed directly */

#define FW_WORD_SIZE		8	/* bytes of an instruction in a section of code */
#define FW_LOCAL_SIZE		4096u	/* bytes of local memory */

/**
 * struct fw_section - a section
 * @name_at: place of @name in the file's table of section names
 * @type: ELF section type
 * @link: ELF: number of a section that this one refers to
 * @info: ELF: sh_info
 * @flags: ELF: sh_flags
 * @align: ELF: sh_addralign
 * @entry: ELF: bytes of an entry
 * @addr: address in its memory
 * @size: bytes in memory
 * @data: the contents; NULL: all zeros
 * @mem: FW_MEM_*, or FW_MEM_NONE if it is not loaded into a memory
 * @island: island of the memory
 * @me: microengine (CODE, LOCAL)
 */
struct fw_section {
	const char *name;
	uint32_t name_at;
	uint32_t type;
	uint32_t link;
	uint32_t info;
	uint64_t flags;
	uint64_t align;
	uint64_t entry;
	uint64_t addr;
	uint64_t size;
	const uint8_t *data;
	uint8_t mem;
	uint8_t island;
	uint8_t me;
};

/* Set the fields that @s->type and @s->info imply: mem, island, me. */
static inline void fw_section_place(struct fw_section *s)
{
	if (s->type != FW_SECTION_DATA && s->type != FW_SECTION_ZERO)
		return;
	s->mem = (uint8_t)s->info;
	s->me = (uint8_t)(s->info >> 16);
	s->island = (uint8_t)(s->info >> 24);
}

/* The sh_info of a section that is loaded into a memory */
static inline uint32_t fw_section_info(uint8_t island, uint8_t me, uint8_t mem)
{
	return (uint32_t)island << 24 | (uint32_t)me << 16 | mem;
}

/* Types and targets of run-time symbols (nfpcore/nfp_rtsym.c) */
#define FW_SYM_OBJECT		1
#define FW_SYM_ABS		3
#define FW_TGT_LOCAL		0
#define FW_TGT_MU		7
#define FW_TGT_EMU_CACHE	0x17
#define FW_SYM_SIZE		16	/* bytes of an entry of the symbol table */

/**
 * struct fw_sym - a run-time symbol
 * @me: microengine, or 0xff
 */
struct fw_sym {
	const char *name;
	uint8_t type;
	uint8_t target;
	uint8_t island;
	uint8_t me;
	uint64_t addr;
	uint64_t size;
};

/* Write the entry of a symbol, of FW_SYM_SIZE bytes. @name: place in the table of names */
void fw_sym_put(uint8_t *entry, const struct fw_sym *s, size_t name);

#define FW_MIP_SIGNATURE	0x0050494d	/* "MIP" */
#define FW_MIP_NAME		16
#define FW_MIP_TOOLCHAIN	32

/* Offsets in the MIP: where the tables of run-time symbols and of their names are, and the name */
#define FW_MIP_SYM_ADDR		32
#define FW_MIP_SYM_SIZE		36
#define FW_MIP_STR_ADDR		40
#define FW_MIP_STR_SIZE		44
#define FW_MIP_NAME_AT		48

/**
 * struct fw_mip - how the firmware describes itself
 * @entry: offset of its first entry
 * @size: bytes of the MIP
 * @version: version of the firmware, as 0xMMMMmmpp
 * @build: number of the build
 * @time: seconds since 1970 of the build
 * @name: name and version; ethtool -i shows it
 * @toolchain: name and version of the linker
 */
struct fw_mip {
	uint32_t size;
	uint32_t entry;
	uint32_t version;
	uint32_t build;
	uint32_t time;
	char name[FW_MIP_NAME + 1];
	char toolchain[FW_MIP_TOOLCHAIN + 1];
};

/**
 * struct fw_image - a firmware file, or an object that is to become a part of one
 * @names: number of the section that has the sections' names
 * @mip_section: number of the section that has the MIP
 * @mip_at: offset of the MIP there
 * @mip_addr: address of the MIP in the memory of EMEM island @mip_island
 * @own: memory of sections that were changed, fw_edit.c
 */
struct fw_image {
	struct fw_section *section;
	unsigned int sections;
	unsigned int names;
	unsigned int mip_section;
	uint64_t mip_at;
	struct fw_sym *sym;
	unsigned int syms;
	struct fw_mip mip;
	uint64_t mip_addr;
	uint8_t mip_island;
	uint8_t *file;
	size_t len;
	void **own;
	unsigned int owned;
};

/**
 * fw_image_open() - read the firmware file @path
 * @err: buffer for the reason of a failure, without the file's name
 *
 * Return: 0, or a negative errno: that of open or read, EINVAL for a file that is not firmware, or
 * is damaged. Free the image with fw_image_close().
 */
int fw_image_open(struct fw_image *img, const char *path, char *err, size_t errlen);
/*
 * The same for a file of @len bytes in memory that malloc() has allocated. The image takes @file over:
 * fw_image_close() frees it, and so does a failure of this call.
 */
int fw_image_open_mem(struct fw_image *img, uint8_t *file, size_t len, char *err, size_t errlen);
/* Read an object: an ELF file of this machine. It has no MIP and no table of run-time symbols. */
int fw_object_open(struct fw_image *img, const char *path, char *err, size_t errlen);
void fw_image_close(struct fw_image *img);

struct fw_section *fw_image_section(const struct fw_image *img, const char *name);	/* or NULL */
/* The code of a microengine, or NULL. .init sections are no code: they run once. */
struct fw_section *fw_image_code(const struct fw_image *img, unsigned int island, unsigned int me);
const struct fw_sym *fw_image_sym(const struct fw_image *img, const char *name);	/* or NULL */
/*
 * Return: the initial contents of @sym, @sym->size bytes. NULL: they are zeros, or the file does
 * not have them.
 */
const uint8_t *fw_image_data(const struct fw_image *img, const struct fw_sym *sym);

/* Write the reason of a failure. Return: -EINVAL. */
int fw_bad(char *err, size_t errlen, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif /* FW_IMAGE_H */
