/* refused: 7: table 'keys' has 2 dimensions; a table needs one, its number of entries */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

using namespace ncl;

_managed_ _lookup_ uint32_t keys[2][8];

_kernel(1) void k(uint32_t key)
{
	if (lookup(keys[0], key))
		_drop();
}
