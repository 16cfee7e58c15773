/* refused: 10: versions of kernel 'k' have different arguments */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _at_("s1") void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ _as_("k") _at_("s2") void other(uint64_t n)
{
	(void)n;
}
