/* refused: 5: two variables 'a' are at the same place; the other is in line 9 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _at_("s1") static uint32_t a;
_net_ _out_ _at_("s1") _win_(1) void k(uint32_t *v)
{
	{
		_net_ static uint32_t a;

		v[0] = a++;
	}
	a += v[0];
}
