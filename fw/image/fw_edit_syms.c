// SPDX-License-Identifier: BSD-2-Clause
/*
 * fw_edit_syms.c - change a firmware file's symbols: those of ELF, which the linker has used, and
 * the run-time symbols, which the host reads, with the MIP that says where they are.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_edit.h"

/* ---- ELF symbols ---- */

static bool of_me(const struct fw_section *s, unsigned int island, unsigned int me)
{
	return (s->mem == FW_MEM_CODE || s->mem == FW_MEM_LOCAL) && s->island == island &&
	       s->me == me;
}

/* Make the symbols of a microengine's sections empty. The others keep their numbers. */
static int drop_elf_syms(struct fw_image *img, unsigned int island, unsigned int me)
{
	struct fw_section *table = fw_image_section(img, ".symtab");
	uint8_t *data, *sym;
	uint64_t at;

	if (!table || !table->data)
		return 0;
	data = fw_edit_data(img, table);
	if (!data)
		return -ENOMEM;
	for (at = 0; at + sizeof(Elf64_Sym) <= table->size; at += sizeof(Elf64_Sym)) {
		unsigned int section;

		sym = data + at;
		section = sym[6] | sym[7] << 8;
		if (section < img->sections && of_me(&img->section[section], island, me))
			memset(sym, 0, sizeof(Elf64_Sym));
	}
	return 0;
}

/* ---- run-time symbols ---- */

int fw_edit_drop_syms(struct fw_image *img, unsigned int island, unsigned int me)
{
	struct fw_section *table = fw_image_section(img, ".rtsymtab");
	unsigned int i, kept = 0;
	uint8_t *data;

	data = fw_edit_data(img, table);
	if (!data)
		return -ENOMEM;
	for (i = 0; i < img->syms; i++) {
		const struct fw_sym *s = &img->sym[i];

		if (s->target == FW_TGT_LOCAL && s->type == FW_SYM_OBJECT && s->island == island &&
		    s->me == me)
			continue;
		img->sym[kept] = *s;
		memmove(data + kept * FW_SYM_SIZE, data + i * FW_SYM_SIZE, FW_SYM_SIZE);
		kept++;
	}
	img->syms = kept;
	table->size = kept * FW_SYM_SIZE;
	return drop_elf_syms(img, island, me);
}

/* Append to the contents of a section. Return: the place of what was appended, or NULL. */
static uint8_t *append(struct fw_image *img, struct fw_section *s, const void *data, uint64_t len)
{
	const uint64_t old = s->size;
	uint8_t *joined = malloc(old + len);
	int ret = -ENOMEM;

	if (joined) {
		memcpy(joined, s->data, old);
		memcpy(joined + old, data, len);
		ret = fw_edit_set(img, s, joined, old + len);
		free(joined);
	}
	return ret ? NULL : (uint8_t *)s->data + old;
}

int fw_edit_add_syms(struct fw_image *img, const struct fw_sym *sym, unsigned int n)
{
	struct fw_section *table = fw_image_section(img, ".rtsymtab");
	struct fw_section *names = fw_image_section(img, ".rtstrtab");
	struct fw_sym *list = realloc(img->sym, (img->syms + n + 1) * sizeof(*list));
	const uint8_t empty[FW_SYM_SIZE] = { 0 };
	unsigned int i;

	if (!list)
		return -ENOMEM;
	img->sym = list;
	for (i = 0; i < n; i++) {
		const uint64_t at = names->size;
		uint8_t *entry, *name;

		if (fw_image_sym(img, sym[i].name))
			return -EEXIST;
		if (at > UINT16_MAX)
			return -ENOSPC;
		name = append(img, names, sym[i].name, strlen(sym[i].name) + 1);
		entry = append(img, table, empty, sizeof(empty));
		if (!name || !entry)
			return -ENOMEM;
		fw_sym_put(entry, &sym[i], at);
		list[img->syms] = sym[i];
		list[img->syms++].name = (const char *)name;
	}
	return 0;
}

int fw_edit_move_sym(struct fw_image *img, const char *name, uint64_t addr, uint64_t size)
{
	struct fw_section *table = fw_image_section(img, ".rtsymtab");
	struct fw_sym *s = (struct fw_sym *)fw_image_sym(img, name);
	uint8_t *entry;

	if (!s)
		return -EINVAL;
	entry = fw_edit_data(img, table);
	if (!entry)
		return -ENOMEM;
	entry += (size_t)(s - img->sym) * FW_SYM_SIZE;
	s->addr = addr;
	s->size = size;
	s->target = FW_TGT_MU;
	fw_sym_put(entry, s, entry[8] | entry[9] << 8);
	return 0;
}

/* ---- MIP ---- */

static uint64_t names_at(const struct fw_image *img)
{
	return (fw_image_section(img, ".rtsymtab")->size + 15) & ~15ull;
}

uint64_t fw_edit_syms_size(const struct fw_image *img)
{
	return names_at(img) + fw_image_section(img, ".rtstrtab")->size;
}

int fw_edit_mip(struct fw_image *img, uint64_t addr, const char *name)
{
	struct fw_section *table = fw_image_section(img, ".rtsymtab");
	struct fw_section *names = fw_image_section(img, ".rtstrtab");
	uint8_t *m = fw_edit_data(img, &img->section[img->mip_section]);

	if (!m)
		return -ENOMEM;
	m += img->mip_at;
	table->addr = addr;
	names->addr = addr + names_at(img);
	fw_put32(m + FW_MIP_SYM_ADDR, (uint32_t)table->addr);
	fw_put32(m + FW_MIP_SYM_SIZE, (uint32_t)table->size);
	fw_put32(m + FW_MIP_STR_ADDR, (uint32_t)names->addr);
	fw_put32(m + FW_MIP_STR_SIZE, (uint32_t)names->size);
	memset(m + FW_MIP_NAME_AT, 0, FW_MIP_NAME);
	memcpy(m + FW_MIP_NAME_AT, name, strnlen(name, FW_MIP_NAME - 1));
	snprintf(img->mip.name, sizeof(img->mip.name), "%.*s", FW_MIP_NAME - 1, name);
	return 0;
}
