/* refused: 8: 'printf' is called, but its body is not in this file */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <stdio.h>
#include <ncl.h>

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	printf("%d", v[0]);
}
