/* refused: 5: _kernel(0): the number of a kernel must be 1 to 4096 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <netcl.hpp>

_kernel(0) void k(uint32_t v)
{
	_drop();
}
