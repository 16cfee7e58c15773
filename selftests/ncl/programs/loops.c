// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Loops with a constant bound: nested, backwards, left early. seq: 4. fill: random */
#include <ncl.h>

_net_ uint32_t grid[4][6];
_net_ uint8_t bits[8];

_net_ _out_ _win_(6) void nested(uint32_t *v)
{
	int i, j;

	for (i = 0; i < 3; i++)
		for (j = i; j < 6; j += 2)
			grid[i][j] += v[(i + j) % 6];
	for (i = 5; i >= 0; i--)
		v[i] = grid[window.seq][i];
}

_net_ _out_ _win_(6) void early(uint32_t *v)
{
	unsigned int i = 0;

	while (i < 6) {
		if (v[i] == 0)
			break;
		if (v[i] & 1) {
			i++;
			continue;
		}
		grid[3][i] = v[i];
		i++;
	}
	v[0] = i;
}

_net_ _out_ void spread(uint32_t n)
{
	for (int i = 0; i < 8; i++)
		bits[i] += n >> i & 1;
}
