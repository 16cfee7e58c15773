// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Comparisons, extensions and shifts of signed and unsigned numbers. fill: random */
#include <ncl.h>

_net_ int16_t low[4];
_net_ int64_t sum;
_net_ int32_t last;

_net_ _out_ _win_(4) void signs(int32_t *v, int8_t s, uint8_t u)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (v[i] < low[i])
			low[i] = (int16_t)v[i];
		v[i] = v[i] >> (i + 1);
	}
	sum += s;
	sum -= u;
	if (s < (int)u)
		v[0] = s;
	if ((unsigned int)s > u)
		v[1] = (int32_t)((uint32_t)v[1] >> 3);
	last = s > last ? s : last - 1;
	v[2] = (int32_t)(sum >> 5);
	v[3] = low[3] * 3;
}
