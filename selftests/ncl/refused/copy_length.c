/* refused: 8: the length of this copy of 'a' is not a constant */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ int32_t a[16];
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	memcpy(v, a, n & 63);
}
