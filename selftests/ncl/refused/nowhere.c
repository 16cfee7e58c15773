/* refused: 7: kernel 'k' runs at no device, because no device has all its variables */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _at_("s1") uint32_t a;
_net_ _at_("s2") uint32_t b;
_net_ _out_ void k(uint32_t n)
{
	a += n;
	b = a;
}
