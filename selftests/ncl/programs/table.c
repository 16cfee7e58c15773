// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Tables that hosts fill: lookups of present and of missing keys. fill: random */
#include <ncl.h>

struct pair {
	uint32_t a, b;
};

_net_ ncl_map(uint32_t, uint32_t, 32) route;
_net_ ncl_map(uint8_t, struct pair, 8) small;
_net_ ncl_map(struct pair, uint64_t, 16) pairs;
_net_ uint32_t hits[4], misses;

_net_ _out_ _win_(2) void look(uint32_t *v, uint8_t x)
{
	const uint32_t *r = ncl_get(route, v[0]);
	const struct pair *s = ncl_get(small, x);

	if (r) {
		hits[*r & 3]++;
		v[0] = *r;
	} else {
		misses++;
	}
	if (s && r)
		v[1] = s->a + s->b;
	else if (s)
		v[1] = s->b;
}

_net_ _out_ _win_(2) void look_pair(uint32_t *v)
{
	struct pair key = { v[0], v[1] & 0 };
	const uint64_t *p = ncl_get(pairs, key);

	if (!p) {
		_drop();
		return;
	}
	v[0] = (uint32_t)*p;
	v[1] = (uint32_t)(*p >> 32);
	_reflect();
}
