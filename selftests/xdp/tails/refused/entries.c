// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: 2 XDP programs are in no slot of a prog array \((entry, other|other, entry)\): say with --entry which
 * entries.c - a packet may enter either of two
 */
#include "../chain.h"

int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

STAGE(next, 60)
{
	return VERDICT(P8(16));
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}

STAGE(other, 60)
{
	bpf_tail_call(ctx, &jumps, P8(17));
	return XDP_PASS;
}
