/* refused: 5: argument 'p' of 'k' is _ext_; only an incoming kernel can have such an argument */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(4) void k(int32_t *v, _ext_ int *p)
{
	v[0] = *p;
}
