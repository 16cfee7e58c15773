// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: tail calls form a cycle: two -> three -> two. With --loop they are counted
 * circle.c - programs that lead to each other
 */
#include "../chain.h"

int two(struct xdp_md *ctx);
int three(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = two, [1] = three);

STAGE(three, 60)
{
	bpf_tail_call(ctx, &jumps, 0);	/* here */
	return XDP_PASS;
}

STAGE(two, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_DROP;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16));
	return XDP_TX;
}
