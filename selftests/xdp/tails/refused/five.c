// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: a function of 5 arguments with tail calls that have to be counted
 * link: --loop
 * five.c - no register is left for the count
 */
#include "../chain.h"

int back(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = back);

static __noinline int five(struct xdp_md *ctx, __u32 a, __u32 b, __u32 c, __u32 d)
{
	bpf_tail_call(ctx, &jumps, a ^ b);
	return (c ^ d) & 1;
}

STAGE(back, 60)
{
	P8(14)++;
	bpf_tail_call(ctx, &jumps, P8(14));
	return XDP_PASS;
}

STAGE(entry, 60)
{
	return five(ctx, P8(16), P8(17), P8(18), P8(19));	/* here */
}
