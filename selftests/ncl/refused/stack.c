/* refused: 10: access to the stack by a variable offset */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	int a[16];

	memcpy(a, v, sizeof(a));
	v[0] = a[n & 15];
}
