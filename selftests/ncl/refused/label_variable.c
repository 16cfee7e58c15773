/* refused: 9: a label must be a string literal */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

const char *label;

_net_ _out_ _win_(16) void k(int32_t *v, uint32_t n)
{
	_pass(label);
}
