/* refused: 5: 'a' has a dimension that is not a constant above 0 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a[4][0];

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a[1][0];
}
