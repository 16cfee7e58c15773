/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_bulk.h - reading and writing MU and CTM memory.
 *
 * Commands of the memory units complete at once here. On an NFP they take 100
 * to 500 cycles in which other contexts run, so firmware must keep nothing
 * half changed over one.
 */
#ifndef NFP_MEM_BULK_H
#define NFP_MEM_BULK_H

#include <nfp.h>

__intrinsic void mem_read8(__xread void *data, const __mem40 void *addr, size_t size)
{
	__builtin_memcpy(data, addr, size);
}

__intrinsic void mem_write8(const __xwrite void *data, __mem40 void *addr, size_t size)
{
	__builtin_memcpy(addr, data, size);
}

#define mem_read32(data, addr, size)	mem_read8(data, addr, size)
#define mem_write32(data, addr, size)	mem_write8(data, addr, size)
#define mem_read64(data, addr, size)	mem_read8(data, addr, size)
#define mem_write64(data, addr, size)	mem_write8(data, addr, size)

/*
 * Copy within memory: on an NFP a loop of reads and writes through transfer
 * registers, 64 bytes at a time.
 */
__intrinsic void mem_copy(__mem40 void *dst, const __mem40 void *src, size_t size)
{
	__builtin_memcpy(dst, src, size);
}

/* Compare: on an NFP by words, as many as the size, aligned by 4, comes to. */
__intrinsic int mem_equal(const __mem40 void *a, const __mem40 void *b, size_t size)
{
	return !__builtin_memcmp(a, b, size);
}

__intrinsic void mem_zero(__mem40 void *dst, size_t size)
{
	__builtin_memset(dst, 0, size);
}

/* The 40-bit CPP address of an __export object, and the way back. */
uint64_t hal_mu_addr(const void *mem);
void *hal_mu_ptr(uint64_t addr);

#define mem40_addr(ptr)		hal_mu_addr(ptr)
#define mem40_ptr(addr)		((__mem40 void *)hal_mu_ptr(addr))

#endif /* NFP_MEM_BULK_H */
