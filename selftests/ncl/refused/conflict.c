/* refused: 8: 'a' is not at "s2", where kernel 'k' runs */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _at_("s1") uint32_t a;
_net_ _at_("s2") _out_ void k(uint32_t n)
{
	a += n;
}
