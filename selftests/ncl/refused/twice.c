/* refused: 10: two kernels 'k' are at the same place; the other is in line 5 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ _as_("k") void other(uint32_t n)
{
	(void)n;
}
