/* refused: 7: _multicast(5): selftests/ncl/programs/net.and has no group 5; add a line "multicast 5 LABEL..." */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

_kernel(1) void k(uint32_t v)
{
	_multicast(5);
}
