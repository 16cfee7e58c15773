/* refused: 13: an index is a sum of more than 8 values */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint8_t a[2][3][5][7];

_net_ _out_ _win_(9) void k(uint8_t *v)
{
	uint8_t *p = a[v[0]][v[1]][v[2]];

	p += v[3] * 3;
	p += v[4] * 5;
	p[v[5] * 11 + v[6] * 13 + v[7] * 17 + v[8] * 19] = 1;
}
