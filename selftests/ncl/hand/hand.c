// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * seq: 4
 * hand.c - the program that selftests/ncl/bpf/hand.c implements by hand, in NCL. With
 * HAND_WRONG=1 to 5 this file differs from bpf/hand.c, and ncl_diff must find the difference.
 */
#include <ncl.h>

#ifndef HAND_WRONG
#define HAND_WRONG 0
#endif

_net_ _at_("s1") uint32_t sum[4][2];
_net_ _at_("s1") uint64_t seen;
_net_ _at_("s1") _ctrl_ uint32_t step;

_net_ _out_ _win_(2) void add(uint32_t *v, uint16_t what)
{
	unsigned int i;

	seen += 1 + (HAND_WRONG == 1);
	for (i = 0; i < 2; i++) {
		sum[window.seq][i] += v[i] * step;
		v[i] = sum[window.seq][i] + (HAND_WRONG == 2 && v[i] == 5);
	}
	if (HAND_WRONG == 3 && window.seq == 3)
		sum[3][1]++;
	if (what == 1)
		_drop();
	else if (what == 2 + (HAND_WRONG == 4))
		_reflect();
	else if (what == 3)
		_bcast();
	else if (what == 4)
		_pass("w1");
	else if (HAND_WRONG == 5 && what == 5)
		_pass("far");
}
