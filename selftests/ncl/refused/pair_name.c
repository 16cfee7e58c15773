/* refused: 10: _pair_("m"): no outgoing kernel has that name */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _in_ _pair_("m") void r(uint32_t n)
{
	(void)n;
}
