/* refused: 5: use of undeclared identifier 'm' */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _lock_(m & 7) void k(uint32_t n)
{
	(void)n;
}
