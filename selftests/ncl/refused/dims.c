/* refused: 5: 'a' has more than 4 dimensions */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a[2][2][2][2][2];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a[0][0][0][0][n & 1];
}
