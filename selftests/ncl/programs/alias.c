// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Two indices that may have the same value. fill: random */
#include <ncl.h>

_net_ uint32_t a[4];
_net_ uint16_t m[4][4];
_net_ uint64_t wide[4];

_net_ _out_ _win_(2) void two(uint32_t *v, uint8_t x, uint8_t y)
{
	a[x & 3] += 5;
	a[y & 3] = a[y & 3] * 3 + v[0];
	v[0] = a[x & 3];
	a[2] ^= v[1];
	v[1] = a[y & 3];
}

_net_ _out_ _win_(2) void rows(uint32_t *v, uint8_t x, uint8_t y)
{
	m[x & 3][1] = (uint16_t)v[0];
	m[y & 3][y & 3] += m[x & 3][1];
	m[1][x & 3]++;
	v[0] = m[x & 3][1];
	v[1] = m[1][1];
}

_net_ _out_ _win_(2) void loops(uint32_t *v, uint8_t x)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		wide[(x + i) & 3] = wide[i] + v[i & 1];
	if (x & 4)
		wide[x & 3] = 7;
	v[0] = (uint32_t)wide[3];
}

_net_ _out_ _win_(2) void swap(uint32_t *v, uint8_t x, uint8_t y)
{
	uint32_t t = a[x & 3];

	a[x & 3] = a[y & 3];
	a[y & 3] = t;
	if (x & 16)
		a[x & 3] -= v[0];
	v[1] = t;
}
