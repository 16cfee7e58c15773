// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Kernels and variables at different places, and the place of a kernel (location). fill: random */
#include <ncl.h>

_net_ _at_("s1") uint32_t first[2];
_net_ _at_("s2") uint64_t second;
_net_ uint32_t everywhere[8];

_net_ _out_ _at_("s1") void one(uint32_t n)
{
	first[n & 1] += n;
	_pass("far");
}

_net_ _out_ _at_("s2") void two(uint32_t n)
{
	second = (second << 3) + n;
	if (n & 1)
		_pass("w1");
	else
		_pass("s1");
}

_net_ _out_ _win_(1) void all(uint32_t *v)
{
	everywhere[location.id & 7] += v[0];
	if (ncl_at("s2"))
		v[0] = ncl_place("far") + 100 * location.id;
	else
		_pass("s2");
}

_net_ _out_ _as_("either") _at_("s1") _win_(2) void either_one(uint16_t *v)
{
	first[0] = v[0];
	v[1]++;
}

_net_ _out_ _as_("either") _at_("s2") _win_(2) void either_two(uint16_t *v)
{
	v[0] += (uint16_t)second;
	_reflect();
}
