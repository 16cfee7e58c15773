// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Kernels only add to these variables, so nclc uses atomic additions. seq: 8 */
#include <ncl.h>

_net_ uint32_t frames;
_net_ uint64_t bytes[8];
_net_ uint32_t by_kind[4][4];
_net_ int64_t balance;
_net_ uint32_t steps[8];

_net_ _out_ _win_(2) void count(uint32_t *v, uint16_t kind, int16_t delta)
{
	frames++;
	bytes[window.seq] += v[0];
	by_kind[kind & 3][(kind >> 2) & 3] += 1;
	balance += delta;
	if (v[1] & 1)
		steps[v[1] & 7] -= v[0];
	_drop();
}
