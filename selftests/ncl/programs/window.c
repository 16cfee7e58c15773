// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* All fields of a window. fill: random */
#define NCL_WINDOW uint8_t small; uint64_t wide; int16_t middle; int32_t n;
#include <ncl.h>

_net_ uint32_t sums[4];

_net_ _out_ _win_(8) void look(uint32_t *v)
{
	v[0] = window.seq;
	v[1] = window.invocation;
	v[2] = window.len;
	v[3] = window.from << 16 | window.to;
	v[4] = window.small;
	v[5] = (uint32_t)(window.wide >> 9);
	v[6] = (uint32_t)(window.middle * 3);
	v[7] = (uint32_t)window.n;
	sums[0] += window.from;
	sums[1] += window.to;
	if (window.middle < 0)
		sums[2]++;
}

_net_ _out_ void values(uint32_t n)
{
	sums[3] = window.len + n + window.small;
}
