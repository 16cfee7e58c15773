/* refused: 5: a function cannot have the specifier '_ctrl_' */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _ctrl_ void k(uint32_t n)
{
	(void)n;
}
