/* refused: 10: incoming kernel 'r' has the arguments of no outgoing kernel */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _in_ void r(uint64_t n)
{
	(void)n;
}
