/* refused: 5: map 'm' has keys of 40 bytes and values of 40 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ ncl_map(struct { char c[40]; }, struct { char d[40]; }, 16) m;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = n;
}
