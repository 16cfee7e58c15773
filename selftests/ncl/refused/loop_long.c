/* refused: 9: its iterations have more than about 100000 instructions together */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(2) void k(int32_t *v)
{
	int32_t x = v[1];

	for (int i = 0; i < 30000; i++)
		x = (x ^ (x >> 3)) * 5 + i;
	v[0] = x;
}
