// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump32_imm.c - 32-bit comparisons with constants. */
#define PROGRAM	jump32_imm
#define U	__u32
#define S	__s32
#define P	P32
#include "jump_imm.h"
