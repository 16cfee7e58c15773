// SPDX-License-Identifier: BSD-2-Clause
/* fw_space.c - find unused memory of a firmware file. */
#include "fw_space.h"

static bool in_mu(const struct fw_section *s, uint8_t island)
{
	return s->mem == FW_MEM_MU && s->island == island && s->size;
}

bool fw_space_next(const struct fw_image *img, uint8_t island, uint64_t *at, uint64_t end,
		   struct fw_space *s)
{
	bool moved = true;
	unsigned int i;

	/* Move behind the sections that have *@at, until none has it. */
	while (moved) {
		moved = false;
		for (i = 0; i < img->sections; i++) {
			const struct fw_section *c = &img->section[i];

			if (!in_mu(c, island) || *at < c->addr || *at - c->addr >= c->size)
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

		if (in_mu(c, island) && c->addr > s->from && c->addr < s->to)
			s->to = c->addr;
	}
	*at = s->to;
	return true;
}

uint64_t fw_space_emem(const struct fw_image *img, uint64_t size, uint64_t align)
{
	uint64_t at = FW_EMEM_BASE, from;
	struct fw_space s;

	align = align ? align : 1;
	while (fw_space_next(img, FW_EMEM_ISLAND, &at, FW_EMEM_END, &s)) {
		from = (s.from + align - 1) / align * align;
		if (from < s.to && size <= s.to - from)
			return from;
	}
	return 0;
}
