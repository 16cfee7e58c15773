// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load64.c - 64-bit loads from the packet at each alignment. */
#define PROGRAM	load64
#define P	P64
#include "load.h"
