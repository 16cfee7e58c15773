// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A lock for each slot, one lock for all, and no lock. seq: 16. fill: random */
#define NCL_WINDOW uint16_t slot;
#include <ncl.h>

_net_ uint32_t cells[16];
_net_ uint32_t total, loose;

_net_ _out_ _win_(2) _lock_(window.seq) void each(uint32_t *v)
{
	cells[window.seq] = cells[window.seq] * 3 + v[0];
	v[1] = cells[window.seq];
}

_net_ _out_ _win_(2) _lock_(window.slot & 7) void by_slot(uint32_t *v)
{
	cells[window.slot & 7] ^= v[0];
	v[1] = cells[window.slot & 7];
}

_net_ _out_ _win_(2) void one(uint32_t *v)
{
	total += v[0];
	v[0] = total;
	if (total & 1)
		return;
	total = v[1];
}

_net_ _out_ _win_(2) _nolock_ void none(uint32_t *v)
{
	loose += v[0];
	v[0] = loose;
}
