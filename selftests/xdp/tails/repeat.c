// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* repeat.c - tail calls in a loop: the first that finds a program ends the loop */
#include "tails.h"

int odd(struct xdp_md *ctx);
int even(struct xdp_md *ctx);
JUMPS(jumps, 8, [1] = odd, [4] = even);

PROGRAM(odd, 60)
{
	TRACE(2);
	return VERDICT(P8(20));
}

PROGRAM(even, 60)
{
	TRACE(3);
	for (int i = 8; i < 12; i++)
		GO(&jumps, i);	/* each index is too large */
	GO(&jumps, P8(21) & 3);
	return VERDICT(P8(22));
}

PROGRAM(entry, 60)
{
	__u32 n = P8(16);

#pragma clang loop unroll(disable)
	for (int i = 0; i < 6; i++) {
		TRACE(1);
		n += P8(17) | 1;
		GO(&jumps, n & 15);
	}
	return VERDICT(n);
}
