// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* C++: references, templates, lambdas, classes. seq: 4. fill: random */
#include <ncl.h>

_net_ uint32_t cells[4][2];
_net_ uint16_t low;
_net_ ncl::Map<uint32_t, uint32_t, 16> table;

template<class T> static T larger(T a, T b)
{
	return a > b ? a : b;
}

struct sum {
	uint32_t n = 0;
	void add(uint32_t x) { n += x; }
};

_net_ _out_ _win_(2) void refs(uint32_t *v, uint32_t &out, uint16_t &small, uint16_t plain)
{
	sum s;
	auto each = [&](uint32_t i) { s.add(v[i]); };

	each(0);
	each(1);
	cells[window.seq][0] = larger(cells[window.seq][0], s.n);
	cells[window.seq][1] += plain;
	out = cells[window.seq][0];
	small = low;
	low = static_cast<uint16_t>(larger<int>(plain, small) + 1);
	if (auto *at = table[v[0]])
		out += *at;
}
