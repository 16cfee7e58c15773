/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlp_split.h - how a transfer is cut into TLPs, and what a TLP costs on the link.
 *
 * Both the card's count of TLPs (tlp.c) and the model of a switch (fw/fabric) cut by this.
 */
#ifndef TLP_SPLIT_H
#define TLP_SPLIT_H

#include <stdint.h>

#define TLP_PAGE	4096u
#define TLP_OVERHEAD_4DW	24u
#define TLP_OVERHEAD_3DW	20u

/*
 * Bytes of the first TLP of a transfer: at most @max, not beyond a page, and where
 * more follows it ends at a multiple of @align, a power of two that is at most @max.
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
