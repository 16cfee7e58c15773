/* refused: 8: read-only variable is not assignable */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ ncl_map(uint32_t, uint32_t, 16) m;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	*ncl_get(m, n) = v[0];
}
