// SPDX-License-Identifier: BSD-2-Clause
/* fw_edit.c - sections of a firmware file: replace contents, add a section, write the file. */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fw_edit.h"

#define ALIGN	8u

static uint64_t aligned(uint64_t at)
{
	return (at + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
}

/* Get memory that is freed with the image. */
static void *own(struct fw_image *img, uint64_t size)
{
	void **list = realloc(img->own, (img->owned + 1) * sizeof(*list)), *p;

	if (!list)
		return NULL;
	img->own = list;
	p = calloc(1, size + 1);
	if (p)
		img->own[img->owned++] = p;
	return p;
}

int fw_edit_set(struct fw_image *img, struct fw_section *s, const void *data, uint64_t size)
{
	uint8_t *to = NULL;

	if (data) {
		to = own(img, size);
		if (!to)
			return -ENOMEM;
		memcpy(to, data, size);
	}
	s->data = to;
	s->size = size;
	return 0;
}

uint8_t *fw_edit_data(struct fw_image *img, struct fw_section *s)
{
	return fw_edit_set(img, s, s->data, s->size) ? NULL : (uint8_t *)s->data;
}

/* Append a name to the table of section names. */
static int add_name(struct fw_image *img, const char *name, uint32_t *at)
{
	struct fw_section *names = &img->section[img->names];
	const uint64_t old = names->size, len = strlen(name) + 1;
	uint8_t *to = own(img, old + len);

	if (!to)
		return -ENOMEM;
	memcpy(to, names->data, old);
	memcpy(to + old, name, len);
	names->data = to;
	names->size = old + len;
	*at = (uint32_t)old;
	return 0;
}

int fw_edit_add(struct fw_image *img, const struct fw_section *new, unsigned int *number)
{
	struct fw_section *list = realloc(img->section, (img->sections + 1) * sizeof(*list)), *s;
	int ret;

	if (!list)
		return -ENOMEM;
	img->section = list;
	s = &list[img->sections];
	*s = *new;
	fw_section_place(s);
	ret = add_name(img, new->name, &s->name_at);
	if (!ret)
		ret = fw_edit_set(img, s, new->data, new->size);
	if (ret)
		return ret;
	s->name = (const char *)list[img->names].data + s->name_at;
	*number = img->sections++;
	return 0;
}

static void put_header(uint8_t *to, const struct fw_section *s, uint64_t at)
{
	const Elf64_Shdr h = {
		.sh_name = htole32(s->name_at), .sh_type = htole32(s->type),
		.sh_flags = htole64(s->flags), .sh_addr = htole64(s->addr),
		.sh_offset = htole64(at), .sh_size = htole64(s->size),
		.sh_link = htole32(s->link), .sh_info = htole32(s->info),
		.sh_addralign = htole64(s->align), .sh_entsize = htole64(s->entry),
	};

	memcpy(to, &h, sizeof(h));
}

int fw_edit_bytes(const struct fw_image *img, uint8_t **bytes, size_t *len, char *err,
		  size_t errlen)
{
	uint64_t at = sizeof(Elf64_Ehdr) + img->sections * sizeof(Elf64_Shdr), size = at;
	bool offsets;
	Elf64_Shdr first;
	Elf64_Ehdr e;
	unsigned int i;
	uint8_t *to;

	memcpy(&e, img->file, sizeof(e));
	if (le64toh(e.e_shoff) != sizeof(e)) {
		snprintf(err, errlen, "unknown layout: section headers are at 0x%llx, and not at 0x%zx",
			 (unsigned long long)le64toh(e.e_shoff), sizeof(e));
		return -EINVAL;
	}
	/* In some files sections without contents have the offset where contents would be. */
	memcpy(&first, img->file + sizeof(e), sizeof(first));
	offsets = first.sh_offset;
	for (i = 0; i < img->sections; i++)
		if (img->section[i].data)
			size = aligned(size) + img->section[i].size;
	size = aligned(size);
	to = calloc(1, size);
	if (!to) {
		snprintf(err, errlen, "no memory");
		return -ENOMEM;
	}
	e.e_shnum = htole16((uint16_t)img->sections);
	memcpy(to, &e, sizeof(e));
	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i];

		at = aligned(at);
		put_header(to + sizeof(e) + i * sizeof(Elf64_Shdr), s, s->data || offsets ? at : 0);
		if (!s->data)
			continue;
		memcpy(to + at, s->data, s->size);
		at += s->size;
	}
	*bytes = to;
	*len = size;
	return 0;
}
