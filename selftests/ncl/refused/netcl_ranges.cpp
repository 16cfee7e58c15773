/* refused: 7: table 'keys' has entries that are neither ncl_kv nor numbers; a table of ranges must be const */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

using namespace ncl;

_managed_ _lookup_ rv<uint32_t, uint32_t> keys[8];

_kernel(1) void k(uint32_t key, uint32_t &v)
{
	if (lookup(keys, key, v))
		_drop();
}
