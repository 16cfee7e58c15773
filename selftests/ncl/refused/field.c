/* refused: field 's' of NCL_WINDOW is no number */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <stdint.h>
#define NCL_WINDOW struct { int a; } s;
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

