// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump64.c - each 64-bit comparison of registers, signed and not. */
#define PROGRAM	jump64
#define U	__u64
#define S	__s64
#define P	P64
#include "jump.h"
