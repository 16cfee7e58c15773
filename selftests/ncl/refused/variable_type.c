/* refused: 5: 'a' has elements that are neither numbers nor structures */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ char *a[4];

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a[1] != NULL;
}
