// SPDX-License-Identifier: BSD-2-Clause
/* fw_space.c - find unused memory of a firmware file. */
#include "fw_space.h"

#define TABLE_ALIGN	16

/* Is it a section in this memory that must stay there? @move: the tables of symbols need not */
static bool stays(const struct fw_section *s, uint8_t island, bool move)
{
	return s->mem == FW_MEM_MU && s->island == island && s->size &&
	       !(move && (!strcmp(s->name, ".rtsymtab") || !strcmp(s->name, ".rtstrtab")));
}

static bool next(const struct fw_image *img, uint8_t island, bool move, uint64_t *at, uint64_t end,
		 struct fw_space *s)
{
	bool moved = true;
	unsigned int i;

	/* Move behind the sections that have *@at, until none has it. */
	while (moved) {
		moved = false;
		for (i = 0; i < img->sections; i++) {
			const struct fw_section *c = &img->section[i];

			if (!stays(c, island, move) || *at < c->addr || *at - c->addr >= c->size)
				continue;
			*at = c->addr + c->size;
			moved = true;
		}
	}
	if (*at >= end)
		return false;
	s->from = *at;
	s->to = end;
	for (i = 0; i < img->sections; i++) {
		const struct fw_section *c = &img->section[i];

		if (stays(c, island, move) && c->addr > s->from && c->addr < s->to)
			s->to = c->addr;
	}
	*at = s->to;
	return true;
}

bool fw_space_next(const struct fw_image *img, uint8_t island, uint64_t *at, uint64_t end,
		   struct fw_space *s)
{
	return next(img, island, false, at, end, s);
}

static uint64_t lowest(const struct fw_image *img, bool move, uint64_t size, uint64_t align)
{
	uint64_t at = FW_EMEM_BASE, from;
	struct fw_space s;

	while (next(img, FW_EMEM_ISLAND, move, &at, FW_EMEM_END, &s)) {
		if (s.from >= FW_EMEM_CHAN && s.from < FW_EMEM_CHAN_END)
			s.from = s.to < FW_EMEM_CHAN_END ? s.to : FW_EMEM_CHAN_END;
		else if (s.from < FW_EMEM_CHAN && s.to > FW_EMEM_CHAN) {
			s.to = FW_EMEM_CHAN;
			at = FW_EMEM_CHAN;
		}
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
