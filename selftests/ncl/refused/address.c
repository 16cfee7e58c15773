/* refused: 10: the address of 'a' is taken; kernels can only read */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a[4];

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		v[i] = (int32_t)(uintptr_t)&a[n & 3];
}
