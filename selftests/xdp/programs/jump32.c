// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump32.c - each 32-bit comparison of registers, signed and not. */
#define PROGRAM	jump32
#define U	__u32
#define S	__s32
#define P	P32
#include "jump.h"
