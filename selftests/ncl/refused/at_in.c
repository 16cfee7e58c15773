/* refused: 10: _at_() of 'r': incoming kernels run at all hosts */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(4) void k(uint32_t *v)
{
	v[0] = 1;
}

_net_ _in_ _at_("s1") void r(uint32_t *v, _ext_ uint32_t *to)
{
	*to = v[0];
}
