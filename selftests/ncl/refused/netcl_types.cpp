/* refused: 7: table 'keys' has keys or values that are neither numbers nor structures */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

using namespace ncl;

_managed_ _lookup_ kv<uint32_t, char *> keys[8];

_kernel(1) void k(uint32_t key)
{
	char *v;

	if (lookup(keys, key, v))
		_drop();
}
