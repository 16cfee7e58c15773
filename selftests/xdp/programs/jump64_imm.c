// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump64_imm.c - 64-bit comparisons with constants. */
#define PROGRAM	jump64_imm
#define U	__u64
#define S	__s64
#define P	P64
#define WIDE
#include "jump_imm.h"
