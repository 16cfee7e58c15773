/* refused: 7: a kernel computes with floating point */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(4) void k(float *v)
{
	v[0] += v[1];
}
