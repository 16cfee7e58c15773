// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bool: variables, arguments, elements. */
#include <ncl.h>

_net_ bool flags[8];
_net_ bool any;
_net_ uint32_t n;

_net_ _out_ _win_(4) void set(bool *v, uint8_t i, bool on)
{
	flags[i & 7] = on && !v[0];
	any = v[1] || v[2];
	v[3] = !v[3] ^ on;
	if (any != v[0])
		n++;
}
