/* refused: 7: table 'keys' is neither const nor _managed_ */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

using namespace ncl;

_net_ _lookup_ kv<uint32_t, uint32_t> keys[] = { { 1, 2 } };

_kernel(1) void k(uint32_t key, uint32_t &v)
{
	if (lookup(keys, key, v))
		_drop();
}
