// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The kernel of figure 4 of the paper, an AllReduce. It differs from the figure in two places:
 * _win_() gives the number of elements in a window, and the end of a sum clears its memory, so
 * that a second sum is possible. As in the figure, a window that is sent again is added twice;
 * for a network that loses packets see userspace/ncl/examples/allreduce.
 */
#include <ncl.h>

#define DATA_LEN 1024
#define WIN_LEN 16

_net_ _at_("s1") int accum[DATA_LEN] = {0};
_net_ _at_("s1") unsigned count[DATA_LEN / WIN_LEN] = {0};
_net_ _at_("s1") _ctrl_ unsigned nworkers;

_net_ _out_ _win_(WIN_LEN) void allreduce(int *data)
{
	unsigned base = window.seq * window.len;

	for (unsigned i = 0; i < window.len; ++i)
		accum[base + i] += data[i];
	if (++count[window.seq] == nworkers) {
		memcpy(data, &accum[base], window.len * 4);
		memset(&accum[base], 0, window.len * 4);
		count[window.seq] = 0; _bcast();
	} else { _drop(); }
}

_net_ _in_ void result(int *data, _ext_ int *hdata, _ext_ bool *done)
{
	memcpy(&hdata[window.seq * window.len], data, window.len * 4);
	*done = window.seq == DATA_LEN / WIN_LEN - 1;
}
