/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * std/reg_utils.h - clear and copy objects in registers or local memory. The names are flowenv's.
 * On an NFP the size is constant, and the compiler makes one instruction for each word.
 */
#ifndef STD_REG_UTILS_H
#define STD_REG_UTILS_H

#include <nfp.h>

#define reg_zero(dst, size)		hal_reg_copy(dst, NULL, size)
#define reg_cp(dst, src, size)		hal_reg_copy(dst, src, size)

/* Copy from read transfer registers, and to write transfer registers. */
#define reg_cp_in(dst, xread, size) \
	hal_reg_copy(dst, (__force const void *)(1 ? (xread) : (const __xread void *)0), size)
#define reg_cp_out(xwrite, src, size) \
	hal_reg_copy((__force void *)(1 ? (xwrite) : (__xwrite void *)0), src, size)

/* Copy @size bytes; clear @dst if @src is NULL. */
void hal_reg_copy(void *dst, const void *src, size_t size);

#endif /* STD_REG_UTILS_H */
