/* refused: 5: 'a' has a specifier for variables of the network, but no _net_ */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_ctrl_ uint32_t a;

_net_ _out_ _win_(1) void k(uint32_t *v)
{
	*v = a;
}
