/* refused: 'ncl' is a name in the code that nclc generates */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

uint32_t ncl(uint32_t x)
{
	return x + 1;
}

_net_ _out_ _win_(2) void k(uint32_t *v)
{
	v[0] = ncl(v[1]);
}
