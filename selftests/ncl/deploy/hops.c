// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hops.c - the program of selftests/ncl/deploy.t: a window records the devices that it passes. */
#include <ncl.h>

enum { HOPS_ON, HOPS_BACK, HOPS_ALL, HOPS_DROP, HOPS_NEAR };

_net_ uint32_t seen;
_net_ _at_("s1") _ctrl_ int32_t step;
_net_ _at_("s2") uint16_t table[3][4];

/* Append the device's number in the AND file to path[0], as a hexadecimal digit. */
_net_ _out_ _win_(2) void hop(uint32_t *path, uint32_t what)
{
	seen += 1;
	path[0] = path[0] << 4 | location.id;
	if (what == HOPS_BACK)
		_reflect();
	else if (what == HOPS_ALL || (what == HOPS_NEAR && ncl_at("s2")))
		_bcast();
	else if (what == HOPS_DROP)
		_drop();
}

_net_ _out_ _at_("s1") _win_(2) void steps(int32_t *value)
{
	value[0] += step;
	_reflect();
}

_net_ _out_ _at_("s2") _win_(1) void put(uint16_t *value, uint32_t row, uint32_t col)
{
	table[row & 1][col & 3] = value[0];
}
