// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: the prog array of this tail call is not known, or not the same on all paths
 * either.c - one tail call for two prog arrays
 */
#include "../chain.h"

int next(struct xdp_md *ctx);
JUMPS(one, 2, [1] = next);
JUMPS(two, 2, [0] = next);

STAGE(next, 60)
{
	return VERDICT(P8(16));
}

STAGE(entry, 60)
{
	void *map = P8(17) & 1 ? (void *)&one : (void *)&two;

	bpf_tail_call(ctx, map, P8(18) & 1);	/* here */
	return XDP_PASS;
}
