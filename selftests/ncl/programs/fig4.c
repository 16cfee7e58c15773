// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Fig. 4 of the paper. seq: 16 */
#include <ncl.h>

#define WIN 4

_net_ _at_("s1") int accum[16 * WIN];
_net_ _at_("s1") unsigned int count[16];
_net_ _at_("s1") _ctrl_ unsigned int nworkers;

_net_ _out_ _at_("s1") _win_(WIN) void allreduce(int *data)
{
	unsigned int base = window.seq * window.len;

	for (unsigned int i = 0; i < window.len; i++)
		accum[base + i] += data[i];
	if (++count[window.seq] == nworkers) {
		memcpy(data, &accum[base], window.len * 4);
		count[window.seq] = 0;
		_bcast();
	} else {
		_drop();
	}
}
