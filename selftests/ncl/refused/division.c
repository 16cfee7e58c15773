/* refused: 7: the divisor r1 is not one constant */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = (uint32_t)v[0] / n;
}
