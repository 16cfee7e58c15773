// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: the card has no bpf_ktime_get_ns\(\)
 * card.c - a program of the chain does what no card can
 */
#include "../chain.h"

int late(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = late);

STAGE(late, 60)
{
	P8(16) = bpf_ktime_get_ns();	/* here */
	return XDP_PASS;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}
