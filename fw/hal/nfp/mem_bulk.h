/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_bulk.h - reading and writing MU and CTM memory.
 *
 * A context waits for the end of each command, and on an NFP other contexts run meanwhile.
 * Here they do so only in some modes (enum hal_swap). Firmware must keep nothing half changed
 * over a command.
 */
#ifndef NFP_MEM_BULK_H
#define NFP_MEM_BULK_H

#include <nfp.h>

void hal_mem_read(void *data, const void *addr, size_t size);
void hal_mem_write(const void *data, void *addr, size_t size);
void hal_mem_copy(void *dst, const void *src, size_t size);
int hal_mem_equal(const void *a, const void *b, size_t size);
void hal_mem_zero(void *dst, size_t size);

__intrinsic void mem_read8(__xread void *data, const __mem40 void *addr, size_t size)
{
	hal_mem_read(data, addr, size);
}

__intrinsic void mem_write8(const __xwrite void *data, __mem40 void *addr, size_t size)
{
	hal_mem_write(data, addr, size);
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
	hal_mem_copy(dst, src, size);
}

/* Compare: on an NFP by words, as many as the size, aligned by 4, comes to. */
__intrinsic int mem_equal(const __mem40 void *a, const __mem40 void *b, size_t size)
{
	return hal_mem_equal(a, b, size);
}

__intrinsic void mem_zero(__mem40 void *dst, size_t size)
{
	hal_mem_zero(dst, size);
}

/* The 40-bit CPP address of an __export object, and the way back. */
uint64_t hal_mu_addr(const void *mem);
void *hal_mu_ptr(uint64_t addr);

#define mem40_addr(ptr)		hal_mu_addr(ptr)
#define mem40_ptr(addr)		((__mem40 void *)hal_mu_ptr(addr))

#endif /* NFP_MEM_BULK_H */
