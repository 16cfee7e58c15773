/* refused: 8: a specifier has 17 arguments; the limit is 16 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a;

_net_ _out_ _win_(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
void k(uint32_t *v)
{
	*v = a;
}
