/* refused: 5: _at(1): node 1 of selftests/ncl/programs/net.and is host "w1" */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

_kernel(1) _at(1) void k(uint32_t v)
{
	_drop();
}
