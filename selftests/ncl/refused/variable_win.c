/* refused: 5: a variable cannot have the specifier '_win_' */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _win_(4) uint32_t a;

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a;
}
