/* refused: 'ncl_program' is a name in the code that nclc generates */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

const int ncl_program = 1;
_net_ int32_t sum[16];
_net_ _out_ _win_(16) void k(int32_t *v)
{
	for (uint32_t i = 0; i < window.len; i++)
		v[i] = sum[i] += v[i];
}
