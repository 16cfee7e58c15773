/* SPDX-License-Identifier: BSD-2-Clause */
/* std/reg_utils.h - clear and copy objects in local memory: see fw/emu/hal/std/reg_utils.h. */
#ifndef STD_REG_UTILS_H
#define STD_REG_UTILS_H

#include <nfp.h>

#define reg_zero(dst, size)		__builtin_memset(dst, 0, size)
#define reg_cp(dst, src, size)		__builtin_memcpy(dst, src, size)
#define reg_cp_in(dst, xread, size)	HAL_REG_COPY(dst, xread, size)
#define reg_cp_out(xwrite, src, size)	HAL_REG_COPY(xwrite, src, size)

#define HAL_REG_COPY(dst, src, size) \
	__builtin_choose_expr(__builtin_constant_p(size), \
			      __builtin_memcpy(dst, src, __builtin_constant_p(size) ? (size) : 0), \
			      hal_reg_copy(dst, src, size))

HAL_FUNCTION void hal_reg_copy(void *dst, const void *src, size_t size)
{
	uint32_t at;

	for (at = 0; at < size; at++)
		((uint8_t *)dst)[at] = ((const uint8_t *)src)[at];
}

#endif /* STD_REG_UTILS_H */
