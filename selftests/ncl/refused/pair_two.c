/* refused: 15: incoming kernel 'r' has the arguments of 2 outgoing kernels; choose one, for example with _pair_ */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ void k(uint32_t n)
{
	(void)n;
}

_net_ _out_ void l(uint32_t n)
{
	(void)n;
}

_net_ _in_ void r(uint32_t n)
{
	(void)n;
}
