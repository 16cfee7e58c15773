/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlp_split.h - how a transfer is split into TLPs, and how many bytes a TLP adds on the link.
 *
 * The card's count of TLPs (tlp.c) and the model of a switch (fw/emu/fabric) use it.
 */
#ifndef TLP_SPLIT_H
#define TLP_SPLIT_H

#include <stdint.h>

#define TLP_PAGE	4096u
#define TLP_OVERHEAD_4DW	24u
#define TLP_OVERHEAD_3DW	20u

/*
 * Return the number of bytes in the first TLP of a transfer. The TLP carries at most @max bytes
 * and does not cross a page. If more bytes follow, it ends at a multiple of @align, a power of 2
 * that is at most @max.
 */
static inline uint64_t tlp_piece(uint64_t addr, uint64_t len, uint32_t max, uint32_t align)
{
	uint64_t room = TLP_PAGE - (addr & (TLP_PAGE - 1));
	uint64_t end = (addr + max) & ~(uint64_t)(align - 1);
	uint64_t now = end - addr;

	if (now > room)
		now = room;
	return now < len ? now : len;
}

#endif /* TLP_SPLIT_H */
