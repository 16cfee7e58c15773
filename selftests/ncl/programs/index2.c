// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Indices of arrays of two dimensions: rows, columns, one of them constant. seq: 4. fill: random */
#include <ncl.h>

_net_ uint32_t rows[4][8];
_net_ uint32_t turned[4][8];
_net_ uint16_t cells[4][4];
_net_ uint32_t worker[4][4];

_net_ _out_ _win_(8) void by_row(uint32_t *v)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		rows[window.seq][i] += v[i];
		v[i] = rows[window.seq][i];
	}
}

_net_ _out_ _win_(4) void by_column(uint32_t *v, uint8_t x)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		turned[i][x & 7] ^= v[i];
		v[i] = turned[i][x & 7];
	}
}

_net_ _out_ void both(uint8_t x, uint8_t y, uint16_t n)
{
	cells[x & 3][y & 3] += n;
	cells[y & 3][x & 3] -= 1;
}

_net_ _out_ _win_(4) void slots(uint32_t *v, uint8_t from)
{
	unsigned int i;

	worker[from & 3][window.seq] = v[0];
	for (i = 0; i < 4; i++)
		v[i] = worker[i][window.seq];
}
