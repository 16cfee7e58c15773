// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Products, quotients, and shifts by variable amounts. fill: random */
#include <ncl.h>

_net_ uint32_t p[4];
_net_ uint64_t q;

_net_ _out_ _win_(4) void calc(uint32_t *v, uint16_t a, uint16_t b, uint8_t s)
{
	p[0] = (uint32_t)a * b;
	p[1] += v[0] * 7;
	p[2] = v[1] / 10;
	p[3] = v[2] - v[2] / 3 * 3;
	q += v[3];
	q ^= (uint64_t)a << 20;
	v[0] = p[0] + (v[0] << (s & 31));
	v[1] = v[1] >> (s & 31);
	v[2] = p[2] + p[3];
	v[3] = (uint32_t)(q >> 8) % 16;
}
