/* SPDX-License-Identifier: BSD-2-Clause */
/* std/reg_utils.h - clear and copy objects in local memory: see fw/emu/hal/std/reg_utils.h. */
#ifndef STD_REG_UTILS_H
#define STD_REG_UTILS_H

#include <nfp.h>

#define reg_zero(dst, size)		__builtin_memset(dst, 0, size)
#define reg_cp(dst, src, size)		__builtin_memcpy(dst, src, size)
#define reg_cp_in(dst, xread, size)	__builtin_memcpy(dst, xread, size)
#define reg_cp_out(xwrite, src, size)	__builtin_memcpy(xwrite, src, size)

#endif /* STD_REG_UTILS_H */
