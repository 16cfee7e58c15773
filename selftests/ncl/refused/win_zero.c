/* refused: 5: _win_() of 'k' has 0; a window can have 1 to 1440 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(0) void k(int32_t *v)
{
	v[0]++;
}
