/* refused: 5: an element of 'a' has 64 bytes; on a card a value has at most 56 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ struct { int x[16]; } a[4];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a[n & 3].x[0];
}
