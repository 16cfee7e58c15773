/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfp/mem_bulk.h - commands that read and write EMEM: see fw/emu/hal/nfp/mem_bulk.h.
 *
 * mecc makes the commands from copies. Sizes of mem_read32(), mem_read64(), mem_write32() and
 * mem_write64() are constants. Local memory is aligned to words. A size that is no constant becomes a
 * loop of commands.
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

struct hal_bytes4 {
	uint8_t b[4];
};

struct hal_words8 {
	uint64_t w[8];
};

HAL_FUNCTION void mem_read8(void *data, const __mem40 void *addr, size_t size)
{
	const __mem40 uint8_t *from = addr;
	uint8_t *to = data;
	uint32_t at;

	for (at = 0; at + 4 <= size; at += 4)
		*(struct hal_bytes4 *)(to + at) = *(const __mem40 struct hal_bytes4 *)(from + at);
	for (; at < size; at++)
		to[at] = from[at];
}

HAL_FUNCTION void mem_write8(const void *data, __mem40 void *addr, size_t size)
{
	const uint8_t *from = data;
	__mem40 uint8_t *to = addr;
	uint32_t at;

	for (at = 0; at + 4 <= size; at += 4)
		*(__mem40 struct hal_bytes4 *)(to + at) = *(const struct hal_bytes4 *)(from + at);
	for (; at < size; at++)
		to[at] = from[at];
}

/* Addresses that are a multiple of 8 are copied by commands of 64 bytes. */
HAL_FUNCTION void mem_copy(__mem40 void *dst, const __mem40 void *src, size_t size)
{
	const __mem40 uint8_t *from = src;
	__mem40 uint8_t *to = dst;
	uint32_t at = 0;

	if (!(((uint32_t)to | (uint32_t)from) & 7))
		for (; at + 64 <= size; at += 64)
			*(__mem40 struct hal_words8 *)(to + at) =
				*(const __mem40 struct hal_words8 *)(from + at);
	for (; at < size; at++)
		to[at] = from[at];
}

HAL_FUNCTION int mem_equal(const __mem40 void *a, const __mem40 void *b, size_t size)
{
	uint32_t at;

	for (at = 0; at < size; at++)
		if (((const __mem40 uint8_t *)a)[at] != ((const __mem40 uint8_t *)b)[at])
			return 0;
	return 1;
}

HAL_FUNCTION void mem_zero(__mem40 void *dst, size_t size)
{
	uint32_t at;

	for (at = 0; at < size; at++)
		((__mem40 uint8_t *)dst)[at] = 0;
}

#define mem_read32(data, addr, size)	HAL_MEM_READ(data, addr, size, 4)
#define mem_read64(data, addr, size)	HAL_MEM_READ(data, addr, size, 8)
#define mem_write32(data, addr, size)	HAL_MEM_WRITE(data, addr, size, 4)
#define mem_write64(data, addr, size)	HAL_MEM_WRITE(data, addr, size, 8)

#define mem40_addr(ptr)		(HAL_EMEM_HIGH | (uint32_t)(ptr))
#define mem40_ptr(addr)		((__mem40 void *)(uint32_t)(addr))

#endif /* NFP_MEM_BULK_H */
