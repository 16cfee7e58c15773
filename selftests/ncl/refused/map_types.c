/* refused: 5: map 'm' has keys or values that are neither numbers nor structures */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ ncl_map(uint32_t, void *, 4) m;

_net_ _out_ void k(uint32_t key)
{
	if (ncl_get(m, key))
		_drop();
}
