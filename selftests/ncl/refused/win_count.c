/* refused: 5: _win_() of 'k' has 1 number for 2 arrays */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(4) void k(int32_t *v, int32_t *w)
{
	v[0] += w[0];
}
