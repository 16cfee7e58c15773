/* refused: 7: _send_to_device(9): selftests/ncl/programs/net.and has no node 9 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

_kernel(1) void k(uint32_t v)
{
	_send_to_device(9);
}
