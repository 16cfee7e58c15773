/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * std/reg_utils.h - clear and copy objects in registers or local memory. The names are flowenv's.
 * The size is a constant multiple of 4, at most 64: flowenv's functions are a switch over the sizes
 * with one instruction for each word (source: flowenv reg_utils.c).
 */
#ifndef STD_REG_UTILS_H
#define STD_REG_UTILS_H

#include <nfp.h>

#define HAL_REG_MAX	64

#define HAL_REG_SIZE(size) __extension__ ({ \
	_Static_assert(__builtin_constant_p(size), "the size is not a constant"); \
	HAL_SIZE_ASSERT(size, 4, HAL_REG_MAX); \
	(size); })

#define reg_zero(dst, size)		hal_reg_copy(dst, NULL, HAL_REG_SIZE(size))
#define reg_cp(dst, src, size)		hal_reg_copy(dst, src, HAL_REG_SIZE(size))

/* Copy from read transfer registers, and to write transfer registers. */
#define reg_cp_in(dst, xread, size) \
	hal_reg_copy(dst, (__force const void *)(1 ? (xread) : (const __xread void *)0), size)
#define reg_cp_out(xwrite, src, size) \
	hal_reg_copy((__force void *)(1 ? (xwrite) : (__xwrite void *)0), src, size)

/* Copy @size bytes; clear @dst if @src is NULL. */
void hal_reg_copy(void *dst, const void *src, size_t size);

#endif /* STD_REG_UTILS_H */
