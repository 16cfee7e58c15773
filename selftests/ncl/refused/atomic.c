/* refused: 8: an atomic builtin is used on 'a' */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ uint32_t a;
_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	v[0] = __sync_fetch_and_add(&a, n);
}
