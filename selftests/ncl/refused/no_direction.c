/* refused: 5: 'k' is no kernel */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ void k(uint32_t n)
{
	(void)n;
}
