/* refused: 5: argument 'v' of 'k' is neither a number nor a pointer */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(1) void k(float **v)
{
	_drop();
}
