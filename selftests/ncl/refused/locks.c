/* refused: 5: 'k' has _nolock_ and _lock_() */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _nolock_ _lock_(n & 7) void k(uint32_t n)
{
	(void)n;
}
