// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value.cpp - an argument that is one value */
#include <ncl.h>

/* ---- one_value: 7: argument 'n' is one value of 4 bytes; the kernel accesses more */
_net_ _out_ _win_(1) void k(uint32_t &n, uint32_t *v)
{
	v[0] = (&n)[1];
}
