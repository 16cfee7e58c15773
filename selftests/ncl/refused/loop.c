/* refused: 8: this loop cannot be unrolled: its bound is not a constant */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t total[4];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		total[i & 3] += v[0];
}
