// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load16.c - 16-bit loads from the packet at each alignment. */
#define PROGRAM	load16
#define P	P16
#include "load.h"
