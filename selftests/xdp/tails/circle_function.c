// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: --loop
 * circle_function.c - a cycle through a function: the function and the program have one count
 */
#include "tails.h"

int around(struct xdp_md *ctx);
int back(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = around, [1] = back);

static __noinline int turn(struct xdp_md *ctx, __u32 n)
{
	bpf_tail_call(ctx, &jumps, n & 3);
	return trace(ctx, 1);
}

PROGRAM(around, 60)
{
	TRACE(2);
	P8(30)++;
	GO(&jumps, 1);
	P8(31)++;
	return P8(20) & 3;
}

PROGRAM(back, 60)
{
	TRACE(3);
	P8(32)++;
	if (P8(32) == P8(33))
		return P8(21) & 3;
	GO(&jumps, P8(22) & 1);
	P8(34)++;
	return P8(23) & 3;
}

PROGRAM(entry, 60)
{
	int got;

	P8(35)++;
	P8(33) &= 31;
	got = turn(ctx, P8(24));
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(36) += got;
	got = turn(ctx, P8(25) & 1);
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(37) += got;
	GO(&jumps, P8(26));
	return VERDICT(P8(27));
}
