/* refused: 7: _send_to_host(3): node 3 of selftests/ncl/programs/net.and is device "s1" */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

_kernel(1) void k(uint32_t v)
{
	_send_to_host(3);
}
