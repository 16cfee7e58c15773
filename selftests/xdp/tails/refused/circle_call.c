// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: recursion nests calls 9 functions deep
 * link: --loop
 * circle_call.c - a function's tail call leads to a program that calls the function
 */
#include "../chain.h"

int entry(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = entry);

static __noinline int turn(struct xdp_md *ctx, __u32 n)
{
	bpf_tail_call(ctx, &jumps, n & 1);
	return n & 3;
}

STAGE(entry, 60)
{
	return turn(ctx, P8(16));	/* here */
}
