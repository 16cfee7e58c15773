/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_bulk.h - commands that read and write MU and CTM memory.
 *
 * The data of a command is in transfer registers. The size is a multiple of the command's unit.
 * The maximum is 32 bytes for commands with units of 8 bits, and 128 bytes for the others
 * (source: flowenv mem_bulk.c).
 *
 * A context waits for the end of each command. On an NFP, other contexts run during the wait;
 * here they run only in some modes (enum hal_swap). Therefore shared state must be consistent
 * before each command.
 */
#ifndef NFP_MEM_BULK_H
#define NFP_MEM_BULK_H

#include <nfp.h>

#define HAL_MEM_MAX8	32
#define HAL_MEM_MAX	128

__swaps void hal_mem_read(__xread void *data, const __mem40 void *addr, size_t size, size_t unit,
			  size_t max);
__swaps void hal_mem_write(const __xwrite void *data, __mem40 void *addr, size_t size, size_t unit,
			   size_t max);
__swaps void hal_mem_copy(__mem40 void *dst, const __mem40 void *src, size_t size);
__swaps int hal_mem_equal(const __mem40 void *a, const __mem40 void *b, size_t size);
__swaps void hal_mem_zero(__mem40 void *dst, size_t size);

#define mem_read8(data, addr, size) \
	hal_mem_read(data, addr, HAL_SIZE(data, size, 1, HAL_MEM_MAX8), 1, HAL_MEM_MAX8)
#define mem_read32(data, addr, size) \
	hal_mem_read(data, addr, HAL_SIZE(data, size, 4, HAL_MEM_MAX), 4, HAL_MEM_MAX)
#define mem_read64(data, addr, size) \
	hal_mem_read(data, addr, HAL_SIZE(data, size, 8, HAL_MEM_MAX), 8, HAL_MEM_MAX)
#define mem_write8(data, addr, size) \
	hal_mem_write(data, addr, HAL_SIZE(data, size, 1, HAL_MEM_MAX8), 1, HAL_MEM_MAX8)
#define mem_write32(data, addr, size) \
	hal_mem_write(data, addr, HAL_SIZE(data, size, 4, HAL_MEM_MAX), 4, HAL_MEM_MAX)
#define mem_write64(data, addr, size) \
	hal_mem_write(data, addr, HAL_SIZE(data, size, 8, HAL_MEM_MAX), 8, HAL_MEM_MAX)

/*
 * On an NFP, each of these three is a function with a loop of read and write commands of 64
 * bytes, and has local transfer registers for the data.
 */
#define mem_copy(dst, src, size)	hal_mem_copy(dst, src, size)
#define mem_equal(a, b, size)		hal_mem_equal(a, b, size)
#define mem_zero(dst, size)		hal_mem_zero(dst, size)

/* Convert a pointer to an __export object to a 40-bit CPP address, and back. */
uint64_t hal_mu_addr(const __mem40 void *mem);
__mem40 void *hal_mu_ptr(uint64_t addr);

#define mem40_addr(ptr)		hal_mu_addr(ptr)
#define mem40_ptr(addr)		hal_mu_ptr(addr)

#endif /* NFP_MEM_BULK_H */
