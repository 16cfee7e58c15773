// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Indices of an array of one dimension, in each form that nclc supports. seq: 8. fill: random */
#define NCL_WINDOW uint16_t slot; uint32_t ver;
#include <ncl.h>

_net_ uint32_t a[64];
_net_ uint64_t b[8];
_net_ uint8_t c[16];

_net_ _out_ _win_(4) void constant(uint32_t *v)
{
	a[0] += v[0];
	a[7] = a[0] ^ v[1];
	a[8] = v[2];
	v[3] = a[7] + a[8];
}

_net_ _out_ _win_(4) void by_seq(uint32_t *v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		a[window.seq * 4 + i] += v[i];
	b[window.seq] += v[0];
	v[1] = (uint32_t)b[window.seq];
}

_net_ _out_ _win_(4) void by_field(uint32_t *v)
{
	unsigned int i = window.slot & 7, j;

	b[i] = window.ver;
	for (j = 0; j < 4; j++)
		v[j] = a[8 * i + 2 * j + 1];
}

_net_ _out_ _win_(4) void by_data(uint32_t *v, uint16_t x)
{
	c[x & 15]++;
	c[(x >> 4) & 15] += 2;
	v[0] = c[v[0] & 15];
	a[(v[1] & 7) * 8 + (v[2] & 7)] = v[3];
}
