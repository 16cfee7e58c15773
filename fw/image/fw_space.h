/* SPDX-License-Identifier: BSD-2-Clause */
/* fw_space.h - which parts of a memory no section of a firmware file uses. */
#ifndef FW_SPACE_H
#define FW_SPACE_H

#include <stdbool.h>

#include "fw_image.h"

#define FW_EMEM_ISLAND	24
#define FW_EMEM_BASE	0x800000ull	/* sections of the vendor's files begin here */
#define FW_EMEM_END	0x80000000ull	/* the smallest cards have 2 GiB */
/* Kept for the managers of channels (fw/chan/chan_taken.h), which a graft may not bring */
#define FW_EMEM_CHAN	0x980000ull
#define FW_EMEM_CHAN_END 0xa00000ull
#define FW_EMEM_CHAN_HIGH 0x4a000000ull	/* and all from here on */

/**
 * struct fw_space - unused addresses, from @from up to @to - 1
 */
struct fw_space {
	uint64_t from;
	uint64_t to;
};

/*
 * Get the next unused part of an island's memory (FW_MEM_MU), at or behind *@at and below @end.
 * *@at moves behind it. Return: false at the end.
 */
bool fw_space_next(const struct fw_image *img, uint8_t island, uint64_t *at, uint64_t end,
		   struct fw_space *s);
/* Return: the lowest unused address of @size bytes of EMEM, a multiple of @align; 0: no room. */
uint64_t fw_space_emem(const struct fw_image *img, uint64_t size, uint64_t align);

/*
 * The same for the tables of run-time symbols, of @size bytes together: the place that they have now
 * is free for them.
 */
uint64_t fw_space_tables(const struct fw_image *img, uint64_t size);

#endif /* FW_SPACE_H */
