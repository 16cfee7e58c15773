/* refused: 5: that node of selftests/ncl/programs/net.and is a host */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _at_("w1") uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = a;
}
