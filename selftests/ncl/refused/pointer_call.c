/* refused: 9: a function is called through a pointer */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

int (*f)(int);

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = f(v[1]);
}
