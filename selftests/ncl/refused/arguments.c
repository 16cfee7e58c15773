/* refused: 7: kernel 'k' has 17 arguments; the limit is 16 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

#define A(n) uint32_t a##n

_net_ _out_ void k(A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10), A(11), A(12), A(13),
		   A(14), A(15), A(16), A(17))
{
}
