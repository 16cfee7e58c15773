// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load32.c - 32-bit loads from the packet at each alignment. */
#define PROGRAM	load32
#define P	P32
#include "load.h"
