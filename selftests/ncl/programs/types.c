// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A variable and an argument of each type. fill: random */
#include <ncl.h>

_net_ int8_t a8;
_net_ uint8_t b8;
_net_ int16_t a16;
_net_ uint16_t b16;
_net_ int32_t a32;
_net_ uint32_t b32;
_net_ int64_t a64;
_net_ uint64_t b64;

_net_ _out_ _win_(1, 1, 1, 1) void add(int8_t *w, int16_t *x, int32_t *y, int64_t *z, uint8_t e,
				       uint16_t f, uint32_t g, uint64_t h)
{
	a8 = (int8_t)(a8 + w[0]);
	b8 += e;
	a16 ^= x[0];
	b16 = (uint16_t)(b16 * 2 + f);
	a32 = (int32_t)((uint32_t)a32 - (uint32_t)y[0]);
	b32 |= g;
	a64 = z[0] < a64 ? z[0] : a64;
	b64 = ~b64 + h;
	w[0] = a8;
	x[0] = a16;
	y[0] = (int32_t)(b8 + b16);
	z[0] = (int64_t)(b64 ^ (uint64_t)a64 ^ b32);
	if (a32 < 0)
		_reflect();
}
