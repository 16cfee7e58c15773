/* refused: 5: needs more than the 512 bytes of stack that BPF has */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(2) void k(int32_t *v)
{
	int32_t x[200];

	for (int i = 0; i < 200; i++)
		x[i] = v[0] + i * v[1];
	v[0] = x[v[1] & 127];
}
