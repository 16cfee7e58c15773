/* refused: 5: the number of elements of it in a window is not given: add _win_(16) */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(int32_t *v)
{
	v[0]++;
}
