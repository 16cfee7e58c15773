/* refused: 5: 'calls' is a variable of the hosts */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

int calls;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = calls++;
}
