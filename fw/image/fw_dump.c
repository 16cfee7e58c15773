// SPDX-License-Identifier: BSD-2-Clause
/* fw_dump.c - the list of what `ethtool -w` reads, and the file that it writes. */
#include <errno.h>
#include <stdlib.h>

#include "fw_dump.h"
#include "fw_space.h"

#define SPEC		"_abi_dump_spec"
#define SECTION		".emem." SPEC
#define HEAD		8u
#define TYPE_RTSYM	4
#define TYPE_PROLOG	10000

/* A symbol in a dump: head, address of 12 bytes with the length at the end, errno, name */
#define DUMP_LEN	16
#define DUMP_ERROR	20
#define DUMP_NAME_LEN	24	/* bytes of the name, so that the data begin at a multiple of 8 */
#define DUMP_NAME	25

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void put_be32(uint8_t *p, uint32_t v)
{
	v = htobe32(v);
	memcpy(p, &v, sizeof(v));
}

/* Find the end of the list, and the last record. Return: false if the list is damaged. */
static bool list_end(const uint8_t *list, size_t len, size_t *end, size_t *last)
{
	size_t at = 0;

	*last = len;
	while (len - at >= HEAD && (be32(list + at) || be32(list + at + 4))) {
		if (be32(list + at + 4) > len - at - HEAD)
			return false;
		*last = at;
		at += HEAD + be32(list + at + 4);
	}
	*end = at;
	return true;
}

static size_t name_size(const struct fw_sym *s)
{
	return (strlen(s->name) + 4) / 4 * 4;	/* with its NUL, in whole words */
}

/* Put a new list into a section of its own, where the file has none. */
static int put_spec(struct fw_image *img, const uint8_t *list, size_t size)
{
	struct fw_section new = {
		.name = SECTION, .type = FW_SECTION_DATA, .flags = 2 /* SHF_ALLOC */, .align = 8,
		.info = fw_section_info(FW_EMEM_ISLAND, 0, FW_MEM_MU), .data = list, .size = size,
	};
	struct fw_section *s = fw_image_section(img, SECTION);
	unsigned int number;
	int ret;

	if (s)
		s->size = 0;	/* its place is free for the new list */
	new.addr = fw_space_emem(img, size, 8);
	if (!new.addr)
		return -ENOSPC;
	ret = s ? fw_edit_set(img, s, list, size) : fw_edit_add(img, &new, &number);
	if (s)
		s->addr = new.addr;
	return ret ? ret : fw_edit_move_sym(img, SPEC, new.addr, size);
}

int fw_dump_add(struct fw_image *img, const struct fw_sym *sym, unsigned int n)
{
	const struct fw_sym *spec = fw_image_sym(img, SPEC);
	const uint8_t *old = spec ? fw_image_data(img, spec) : NULL;
	size_t end, last, more = 0, at;
	unsigned int i;
	uint8_t *list;
	bool ours;
	int ret;

	if (!n || !old || !list_end(old, spec->size, &end, &last))
		return 0;
	ours = last < end && be32(old + last) == FW_DUMP_LEVEL;
	for (i = 0; i < n; i++)
		more += HEAD + name_size(&sym[i]);
	list = calloc(1, end + more + 2 * HEAD);
	if (!list)
		return -ENOMEM;
	memcpy(list, old, end);
	if (!ours) {
		last = end;
		put_be32(list + last, FW_DUMP_LEVEL);
	}
	at = ours ? end : end + HEAD;
	for (i = 0; i < n; i++) {
		put_be32(list + at, TYPE_RTSYM);
		put_be32(list + at + 4, (uint32_t)name_size(&sym[i]));
		memcpy(list + at + HEAD, sym[i].name, strlen(sym[i].name));
		at += HEAD + name_size(&sym[i]);
	}
	put_be32(list + last + 4, (uint32_t)(at - last - HEAD));
	ret = put_spec(img, list, at + HEAD);
	free(list);
	return ret;
}

int fw_dumped_next(const uint8_t *file, size_t len, size_t *at, struct fw_dumped *d)
{
	const uint8_t *p;
	uint32_t size, name;

	if (!*at && (len < HEAD || be32(file) != TYPE_PROLOG))
		return -EINVAL;
	for (; len - *at >= HEAD; *at += HEAD + size) {
		p = file + *at;
		size = be32(p + 4);
		if (size > len - *at - HEAD)
			return -EINVAL;
		if (be32(p) != TYPE_RTSYM)
			continue;
		if (size < DUMP_NAME - HEAD)
			return -EINVAL;
		name = p[DUMP_NAME_LEN];
		d->size = be32(p + DUMP_LEN);
		d->error = (int)be32(p + DUMP_ERROR);
		if (name > size + HEAD - DUMP_NAME || !memchr(p + DUMP_NAME, 0, name) ||
		    d->size > size + HEAD - DUMP_NAME - name)
			return -EINVAL;
		d->name = (const char *)p + DUMP_NAME;
		d->data = p + DUMP_NAME + name;
		*at += HEAD + size;
		return 1;
	}
	return 0;
}
