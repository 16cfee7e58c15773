// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Actions on a window; the last action counts. fill: random */
#include <ncl.h>

_net_ uint32_t done[8];

_net_ _out_ void act(uint8_t what, uint8_t then)
{
	done[what & 7]++;
	if (what & 1)
		_drop();
	if (what & 2)
		_reflect();
	if (what & 4)
		_bcast();
	if (what & 8)
		_pass();
	if (what & 16)
		_pass("w2");
	if (then == 1)
		_pass("far");
	else if (then == 2)
		_pass("s2");
}
