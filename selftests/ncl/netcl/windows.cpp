// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Pointers with _spec(), bounds that are sums, groups by a number of the window. and: one.and */
#include <netcl.hpp>

using namespace ncl;

constexpr int half = 6;

_net_ int16_t last[2 * half];

_kernel(2) void shift(uint32_t group, int16_t _spec(4) *head, int16_t tail[2 * half - 1])
{
	static uint8_t runs;

	for (int i = 0; i < 4; i++) {
		int16_t x = last[i];

		last[i] = head[i];
		head[i] = x + tail[i + 7];
	}
	tail[0] = runs++;
	_multicast(group);
}
