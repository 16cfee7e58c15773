// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load8.c - 8-bit loads from the packet at each alignment. */
#define PROGRAM	load8
#define P	P8
#include "load.h"
