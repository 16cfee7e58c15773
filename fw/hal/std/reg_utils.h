/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * std/reg_utils.h - clear and copy what is in registers or local memory, by the names of flowenv.
 * On an NFP the size is a constant, and the compiler makes an instruction for each word.
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

/* A @src of NULL stands for zeros. */
void hal_reg_copy(void *dst, const void *src, size_t size);

#endif /* STD_REG_UTILS_H */
