/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chan_mem.h - copies between local memory and a memory unit, through transfer registers, for
 * objects that are larger than one command takes, or whose size is not a constant. Large objects
 * of local memory are cleared here as well.
 */
#ifndef CHAN_MEM_H
#define CHAN_MEM_H

#include <nfp/mem_bulk.h>
#include <std/reg_utils.h>

#define CHAN_MEM_PART	32	/* bytes that a command of 8 bits takes at most */

__intrinsic __swaps void chan_mem_read(void *dst, const __mem40 void *src, uint32_t size)
{
	__xread uint32_t part[CHAN_MEM_PART / 4];
	uint32_t at, n;

	for (at = 0; at < size; at += n) {
		n = size - at < sizeof(part) ? size - at : sizeof(part);
		mem_read8(part, (const __mem40 uint8_t *)src + at, n);
		reg_cp_in((uint8_t *)dst + at, part, n);
	}
}

__intrinsic __swaps void chan_mem_write(const void *src, __mem40 void *dst, uint32_t size)
{
	__xwrite uint32_t part[CHAN_MEM_PART / 4];
	uint32_t at, n;

	for (at = 0; at < size; at += n) {
		n = size - at < sizeof(part) ? size - at : sizeof(part);
		reg_cp_out(part, (const uint8_t *)src + at, n);
		mem_write8(part, (__mem40 uint8_t *)dst + at, n);
	}
}

/* Clear an object in local memory, of any size. The size and the address are multiples of 4. */
__intrinsic void lmem_zero(void *dst, uint32_t size)
{
	uint32_t at;

	for (at = 0; at < size; at += 4)
		reg_zero((uint8_t *)dst + at, 4);
}

#endif /* CHAN_MEM_H */
