/* refused: 7: element 16 of 'v' is not in the window, which has 16 elements */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[16] = n;
}
