// SPDX-License-Identifier: BSD-2-Clause
/* fw_image.c - read a firmware file: sections, MIP, run-time symbols. */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fw_image.h"

#define EM_NFP_NFFW	0x6000
#define FILE_MAX	(64u << 20)	/* the largest public file has 5 MiB */
#define MEM_MAX		(1ull << 40)	/* bytes that an address reaches */
#define MIP_MIN		0x60		/* bytes that the driver reads (nfp_mip.c) */

/* The note of type 2 in .note.nfp: number of the MIP's section, and offset in it (64 bits). */
#define NOTE_MIP	0x102
#define NOTE_MIP_SIZE	12

int fw_bad(char *err, size_t errlen, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, errlen, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int no_memory(char *err, size_t errlen)
{
	fw_bad(err, errlen, "no memory");
	return -ENOMEM;
}

static int read_file(struct fw_image *img, int fd, size_t size)
{
	ssize_t n;

	img->file = malloc(size + 1);
	if (!img->file)
		return -ENOMEM;
	for (; img->len < size; img->len += n) {
		n = read(fd, img->file + img->len, size - img->len);
		if (n < 0)
			return -errno;
		if (!n)
			break;
	}
	return 0;
}

/* ---- sections ---- */

/* Return: the string at @at of string table @table, or NULL if it does not end in the table. */
static const char *string_at(const struct fw_section *table, uint64_t at)
{
	if (!table->data || at >= table->size ||
	    !memchr(table->data + at, 0, table->size - at))
		return NULL;
	return (const char *)table->data + at;
}

static int section_read(const struct fw_image *img, const Elf64_Shdr *h, struct fw_section *s)
{
	uint64_t off = le64toh(h->sh_offset);

	s->name_at = le32toh(h->sh_name);
	s->type = le32toh(h->sh_type);
	s->link = le32toh(h->sh_link);
	s->info = le32toh(h->sh_info);
	s->flags = le64toh(h->sh_flags);
	s->align = le64toh(h->sh_addralign);
	s->entry = le64toh(h->sh_entsize);
	s->addr = le64toh(h->sh_addr);
	s->size = le64toh(h->sh_size);
	if (s->type != FW_SECTION_ZERO && s->type != SHT_NULL) {
		if (off > img->len || s->size > img->len - off)
			return -EINVAL;
		s->data = img->file + off;
	}
	fw_section_place(s);
	if (s->mem != FW_MEM_NONE && (s->addr > MEM_MAX || s->size > MEM_MAX))
		return -ERANGE;
	return 0;
}

/* Return the command that has compressed the file, or NULL. Distributions pack firmware files. */
static const char *compressed(const struct fw_image *img)
{
	if (img->len >= 6 && !memcmp(img->file, "\xfd""7zXZ", 6))
		return "xz";
	if (img->len >= 4 && !memcmp(img->file, "\x28\xb5\x2f\xfd", 4))
		return "zstd";
	return NULL;
}

static int sections_read(struct fw_image *img, char *err, size_t errlen)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)img->file;
	const struct fw_section *names;
	unsigned int i, n, strings;
	const Elf64_Shdr *h;
	uint64_t off;

	if (compressed(img))
		return fw_bad(err, errlen, "compressed by %s: unpack it first (%s -dk FILE)",
			   compressed(img), compressed(img));
	if (img->len < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_ident[EI_DATA] != ELFDATA2LSB ||
	    le16toh(e->e_machine) != EM_NFP_NFFW)
		return fw_bad(err, errlen, "not a firmware file: no ELF file of machine 0x%x", EM_NFP_NFFW);
	off = le64toh(e->e_shoff);
	n = le16toh(e->e_shnum);
	strings = le16toh(e->e_shstrndx);
	if (le16toh(e->e_shentsize) != sizeof(*h) || off % 8 || off > img->len ||
	    n > (img->len - off) / sizeof(*h) || strings >= n)
		return fw_bad(err, errlen, "damaged: %u section headers at 0x%llx do not fit into %zu bytes",
			   n, (unsigned long long)off, img->len);
	h = (const Elf64_Shdr *)(img->file + off);
	img->section = calloc(n, sizeof(*img->section));
	if (!img->section)
		return no_memory(err, errlen);
	img->sections = n;
	img->names = strings;
	for (i = 0; i < n; i++)
		switch (section_read(img, &h[i], &img->section[i])) {
		case 0:
			break;
		case -ERANGE:
			return fw_bad(err, errlen, "damaged: section %u has an address or a size of more than 40 bits", i);
		default:
			return fw_bad(err, errlen, "damaged: section %u reaches beyond the end of the file", i);
		}
	names = &img->section[strings];
	for (i = 0; i < n; i++) {
		img->section[i].name = string_at(names, img->section[i].name_at);
		if (!img->section[i].name)
			return fw_bad(err, errlen, "damaged: section %u has no name", i);
	}
	return 0;
}

struct fw_section *fw_image_section(const struct fw_image *img, const char *name)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++)
		if (!strcmp(img->section[i].name, name))
			return &img->section[i];
	return NULL;
}

struct fw_section *fw_image_code(const struct fw_image *img, unsigned int island, unsigned int me)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		struct fw_section *s = &img->section[i];

		if (s->mem == FW_MEM_CODE && s->island == island && s->me == me &&
		    !strncmp(s->name, ".text", 5))
			return s;
	}
	return NULL;
}

/* ---- MIP ---- */

/* Find the note of the MIP. Return: its 12 bytes, or NULL. */
static const uint8_t *mip_note(const struct fw_section *s)
{
	uint64_t at = 0, name, len;

	while (s && s->data && s->size - at >= 12) {
		const uint8_t *p = s->data + at;

		name = (fw_get32(p) + 3ull) & ~3ull;
		len = (fw_get32(p + 4) + 3ull) & ~3ull;
		if (name + len > s->size - at - 12)
			break;
		if (fw_get32(p + 8) == NOTE_MIP && fw_get32(p + 4) == NOTE_MIP_SIZE)
			return p + 12 + name;
		at += 12 + name + len;
	}
	return NULL;
}

static int mip_read(struct fw_image *img, char *err, size_t errlen)
{
	const uint8_t *note = mip_note(fw_image_section(img, ".note.nfp")), *m;
	const struct fw_section *s;
	uint64_t off;

	if (!note || fw_get32(note) >= img->sections)
		return fw_bad(err, errlen, "no note .note.nfp that says where the MIP is");
	s = &img->section[fw_get32(note)];
	off = fw_get64(note + 4);
	if (!s->data || s->size < MIP_MIN || off > s->size - MIP_MIN ||
	    fw_get32(s->data + off) != FW_MIP_SIGNATURE)
		return fw_bad(err, errlen, "no MIP at offset 0x%llx of section %s",
			   (unsigned long long)off, s->name);
	m = s->data + off;
	img->mip_section = fw_get32(note);
	img->mip_at = off;
	img->mip_addr = s->addr + off;
	img->mip_island = s->island;
	img->mip.size = fw_get32(m + 8);
	img->mip.entry = fw_get32(m + 12);
	img->mip.version = fw_get32(m + 16);
	img->mip.build = fw_get32(m + 20);
	img->mip.time = fw_get32(m + 24);
	memcpy(img->mip.name, m + 48, FW_MIP_NAME);
	memcpy(img->mip.toolchain, m + 64, FW_MIP_TOOLCHAIN);
	return 0;
}

/* ---- run-time symbols ---- */

static int syms_read(struct fw_image *img, char *err, size_t errlen)
{
	const struct fw_section *t = fw_image_section(img, ".rtsymtab");
	const struct fw_section *strings = fw_image_section(img, ".rtstrtab");
	unsigned int i;

	if (!t || !t->data || !strings || t->size % FW_SYM_SIZE)
		return fw_bad(err, errlen, "no table of run-time symbols (.rtsymtab, .rtstrtab)");
	img->sym = calloc(t->size / FW_SYM_SIZE + 1, sizeof(*img->sym));
	if (!img->sym)
		return no_memory(err, errlen);
	img->syms = t->size / FW_SYM_SIZE;
	for (i = 0; i < img->syms; i++) {
		const uint8_t *e = t->data + FW_SYM_SIZE * (size_t)i;
		struct fw_sym *s = &img->sym[i];

		s->name = string_at(strings, e[8] | e[9] << 8);
		if (!s->name)
			return fw_bad(err, errlen, "damaged: run-time symbol %u has no name", i);
		s->type = e[0];
		s->target = e[1];
		s->island = e[2];
		s->addr = (uint64_t)e[3] << 32 | fw_get32(e + 4);
		s->me = e[10];
		s->size = (uint64_t)e[11] << 32 | fw_get32(e + 12);
	}
	return 0;
}

void fw_sym_put(uint8_t *e, const struct fw_sym *s, size_t name)
{
	e[0] = s->type;
	e[1] = s->target;
	e[2] = s->island;
	e[3] = (uint8_t)(s->addr >> 32);
	fw_put32(e + 4, (uint32_t)s->addr);
	e[8] = name & 0xff;
	e[9] = (uint8_t)(name >> 8);
	e[10] = s->me;
	e[11] = (uint8_t)(s->size >> 32);
	fw_put32(e + 12, (uint32_t)s->size);
}

const struct fw_sym *fw_image_sym(const struct fw_image *img, const char *name)
{
	unsigned int i;

	for (i = 0; i < img->syms; i++)
		if (!strcmp(img->sym[i].name, name))
			return &img->sym[i];
	return NULL;
}

/*
 * Say whether a section has the memory that a symbol names. Data that the linker has put into the
 * cache of an EMEM island have ordinary addresses of that island (FW_TGT_MU), or direct ones.
 */
static bool same_memory(const struct fw_section *s, const struct fw_sym *sym)
{
	if (s->island != sym->island)
		return false;
	return (sym->target == FW_TGT_MU && s->mem == FW_MEM_MU) ||
	       ((sym->target == FW_TGT_MU || sym->target == FW_TGT_EMU_CACHE) &&
		s->mem == FW_MEM_EMU_CACHE);
}

const uint8_t *fw_image_data(const struct fw_image *img, const struct fw_sym *sym)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];

		if (s->data && same_memory(s, sym) && sym->addr >= s->addr &&
		    sym->size <= s->size && sym->addr - s->addr <= s->size - sym->size)
			return s->data + (sym->addr - s->addr);
	}
	return NULL;
}

/* ---- the file ---- */

int fw_object_open(struct fw_image *img, const char *path, char *err, size_t errlen)
{
	struct stat st;
	int fd, ret;

	memset(img, 0, sizeof(*img));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 || fstat(fd, &st) ? -errno : 0;
	if (!ret && (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX))
		ret = fw_bad(err, errlen, "not a firmware file: no regular file of at most %u MiB",
			  FILE_MAX >> 20);
	else if (!ret)
		ret = read_file(img, fd, st.st_size);
	if (fd >= 0)
		close(fd);
	if (ret && ret != -EINVAL)
		snprintf(err, errlen, "%s", strerror(-ret));
	if (!ret)
		ret = sections_read(img, err, errlen);
	if (ret)
		fw_image_close(img);
	return ret;
}

/* Read what an image has besides sections. */
static int image_read(struct fw_image *img, char *err, size_t errlen)
{
	int ret = mip_read(img, err, errlen);

	if (!ret)
		ret = syms_read(img, err, errlen);
	if (ret)
		fw_image_close(img);
	return ret;
}

int fw_image_open(struct fw_image *img, const char *path, char *err, size_t errlen)
{
	int ret = fw_object_open(img, path, err, errlen);

	return ret ? ret : image_read(img, err, errlen);
}

int fw_image_open_mem(struct fw_image *img, uint8_t *file, size_t len, char *err, size_t errlen)
{
	int ret;

	*img = (struct fw_image){ .file = file, .len = len };
	ret = sections_read(img, err, errlen);
	if (!ret)
		return image_read(img, err, errlen);
	fw_image_close(img);
	return ret;
}

void fw_image_close(struct fw_image *img)
{
	while (img->owned)
		free(img->own[--img->owned]);
	free(img->own);
	free(img->section);
	free(img->sym);
	free(img->file);
	memset(img, 0, sizeof(*img));
}
