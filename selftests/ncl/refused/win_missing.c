/* refused: 5: nothing says how many elements of it a window has: add _win_(16) */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(int32_t *v)
{
	v[0]++;
}
