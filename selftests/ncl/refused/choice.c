/* refused: 9: a pointer is 'a' or something else */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a[4], b[4];

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	uint32_t *p = n & 64 ? a : b;

	p[n & 3]++;
}
