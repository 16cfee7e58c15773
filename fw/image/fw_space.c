// SPDX-License-Identifier: BSD-2-Clause
/* fw_space.c - find unused memory of a firmware file. */
#include "fw_space.h"

#define TABLE_ALIGN	16

/**
 * struct search - what a search for unused memory looks at
 * @place: memory that is kept for the managers of channels is not unused
 * @move: the tables of symbols need not stay where they are
 */
struct search {
	const struct fw_image *img;
	uint8_t island;
	bool place;
	bool move;
};

/* Get range @i of what is used: the sections, and then the memory that is kept. */
static bool used(const struct search *k, unsigned int i, struct fw_space *r)
{
	const struct fw_section *s = &k->img->section[i];

	if (i == k->img->sections) {
		*r = (struct fw_space){ FW_EMEM_CHAN, FW_EMEM_CHAN_END };
		return k->place;
	}
	if (s->mem != FW_MEM_MU || s->island != k->island || !s->size ||
	    (k->move && (!strcmp(s->name, ".rtsymtab") || !strcmp(s->name, ".rtstrtab"))))
		return false;
	*r = (struct fw_space){ s->addr, s->addr + s->size };
	return true;
}

static bool next(const struct search *k, uint64_t *at, uint64_t end, struct fw_space *s)
{
	bool moved = true;
	struct fw_space r;
	unsigned int i;

	/* Move behind the ranges that have *@at, until none has it. */
	while (moved) {
		moved = false;
		for (i = 0; i <= k->img->sections; i++) {
			if (!used(k, i, &r) || *at < r.from || *at >= r.to)
				continue;
			*at = r.to;
			moved = true;
		}
	}
	if (*at >= end)
		return false;
	*s = (struct fw_space){ *at, end };
	for (i = 0; i <= k->img->sections; i++)
		if (used(k, i, &r) && r.from > s->from && r.from < s->to)
			s->to = r.from;
	*at = s->to;
	return true;
}

bool fw_space_next(const struct fw_image *img, uint8_t island, uint64_t *at, uint64_t end,
		   struct fw_space *s)
{
	return next(&(struct search){ .img = img, .island = island }, at, end, s);
}

static uint64_t lowest(const struct fw_image *img, bool move, uint64_t size, uint64_t align)
{
	const struct search k = { img, FW_EMEM_ISLAND, true, move };
	uint64_t at = FW_EMEM_BASE, from;
	struct fw_space s;

	while (next(&k, &at, FW_EMEM_CHAN_HIGH, &s)) {
		from = (s.from + align - 1) / align * align;
		if (from < s.to && size <= s.to - from)
			return from;
	}
	return 0;
}

uint64_t fw_space_emem(const struct fw_image *img, uint64_t size, uint64_t align)
{
	return lowest(img, false, size, align ? align : 1);
}

uint64_t fw_space_tables(const struct fw_image *img, uint64_t size)
{
	return lowest(img, true, size, TABLE_ALIGN);
}
