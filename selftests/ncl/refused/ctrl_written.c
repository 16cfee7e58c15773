/* refused: 8: a kernel writes 'limit', which is _ctrl_ */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _ctrl_ uint32_t limit;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	limit = n;
}
