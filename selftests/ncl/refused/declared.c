/* refused: 8: 'a' is a variable of the hosts */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

extern _net_ uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}
