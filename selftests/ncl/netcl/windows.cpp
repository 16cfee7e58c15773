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

_net_ uint16_t grid[3][8];

/* Rows that are constant, of columns that are not: one before, or what could be of the row behind */
_kernel(9) void edges(uint8_t n, uint16_t out[4])
{
	if (n < 1 || n > 15)
		return _drop();
	if (n >= 8)
		out[3] = grid[2][n - 8];
	else
		for (int i = 0; i < 3; i++) {
			uint16_t x = grid[i][n - 1];

			grid[i][n - 1] = out[i] ^ i;
			out[i] = x;
		}
	_reflect();
}
