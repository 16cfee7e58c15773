/* refused: 5: kernel 'k' returns a value */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ int k(uint32_t n)
{
	return n;
}
