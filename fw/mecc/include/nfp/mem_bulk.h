/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_bulk.h - commands that read and write EMEM: see fw/emu/hal/nfp/mem_bulk.h. The sizes are
 * constants. mecc makes the commands from the copy of a struct.
 */
#ifndef NFP_MEM_BULK_H
#define NFP_MEM_BULK_H

#include <nfp.h>

/* Bits 39:32 of an address in EMEM of island 24 */
#define HAL_EMEM_HIGH	0x2000000000ull

#define HAL_MEM_READ(data, addr, size, unit) __extension__ ({ \
	ctassert((size) && (size) <= 128 && !((size) % (unit))); \
	struct hal_words { uint32_t w[(size) / 4]; }; \
	typedef struct hal_words __attribute__((aligned(unit))) hal_aligned; \
	*(struct hal_words *)(data) = *(const __mem40 hal_aligned *)(addr); })
#define HAL_MEM_WRITE(data, addr, size, unit) __extension__ ({ \
	ctassert((size) && (size) <= 128 && !((size) % (unit))); \
	struct hal_words { uint32_t w[(size) / 4]; }; \
	typedef struct hal_words __attribute__((aligned(unit))) hal_aligned; \
	*(__mem40 hal_aligned *)(addr) = *(const struct hal_words *)(data); })

/* Commands of bytes have sizes that are no constants. They are declared, and mecc refuses a use. */
void mem_read8(void *data, const __mem40 void *addr, size_t size);
void mem_write8(const void *data, __mem40 void *addr, size_t size);

#define mem_read32(data, addr, size)	HAL_MEM_READ(data, addr, size, 4)
#define mem_read64(data, addr, size)	HAL_MEM_READ(data, addr, size, 8)
#define mem_write32(data, addr, size)	HAL_MEM_WRITE(data, addr, size, 4)
#define mem_write64(data, addr, size)	HAL_MEM_WRITE(data, addr, size, 8)

#define mem40_addr(ptr)	(HAL_EMEM_HIGH | (uint32_t)(ptr))

#endif /* NFP_MEM_BULK_H */
