// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* index.c - an unknown index, an index in a known range, and one that is too large */
#include "tails.h"

int a(struct xdp_md *ctx);
int b(struct xdp_md *ctx);
int c(struct xdp_md *ctx);
int d(struct xdp_md *ctx);
JUMPS(any, 8, [0] = a, [2] = b, [5] = a, [7] = d);
JUMPS(range, 4, c, c, d, c);

PROGRAM(d, 60)
{
	TRACE(4);
	GO(&any, 8 + P8(18));	/* too large */
	return VERDICT(P8(20));
}

PROGRAM(c, 60)
{
	TRACE(3);
	return VERDICT(P8(21));
}

PROGRAM(b, 60)
{
	TRACE(2);
	bpf_tail_call(ctx, &range, P8(17) & 3);	/* always finds a program */
	return XDP_ABORTED;
}

PROGRAM(a, 60)
{
	TRACE(1);
	bpf_tail_call(ctx, &range, (P8(17) & 1) + 1);
	return XDP_ABORTED;
}

PROGRAM(entry, 60)
{
	GO(&any, P32(16));
	TRACE(7);
	GO(&any, P8(16));
	TRACE(5);
	return VERDICT(P8(22));
}
