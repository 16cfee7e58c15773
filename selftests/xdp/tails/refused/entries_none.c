// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: each XDP program is in a slot of a prog array: say with --entry which one comes first
 * entries_none.c - a packet may enter any of them
 */
#include "../chain.h"

int one(struct xdp_md *ctx);
int two(struct xdp_md *ctx);
JUMPS(jumps, 2, one, two);

STAGE(two, 60)
{
	return VERDICT(P8(16));
}

STAGE(one, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}
