/* refused: 12: 'f' calls itself */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

static int f(int x)
{
	return x < 2 ? x : f(x - 1) * f(x - 2);
}

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = f(v[1]);
}
