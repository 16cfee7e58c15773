/* refused: 5: a window of 'k' has 1600 bytes; the limit is 1440 */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

_net_ _out_ _win_(400) void k(int32_t *v)
{
	v[0]++;
}
