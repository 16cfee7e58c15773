/* refused: 6: it fits with windows of  */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ int32_t sum[4000];
_net_ _out_ _win_(200) void k(int32_t *v)
{
	for (uint32_t i = 0; i < window.len; i++)
		v[i] = sum[window.seq * window.len + i] += v[i];
}
