// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* head.c - programs move the ends of the packet before a tail call */
#include "tails.h"

int shorter(struct xdp_md *ctx);
int longer(struct xdp_md *ctx);
int last(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = shorter, [1] = longer, [2] = last);

PROGRAM(last, 40)
{
	TRACE(4);
	return VERDICT(P8(20));
}

PROGRAM(shorter, 40)
{
	TRACE(2);
	if (bpf_xdp_adjust_head(ctx, 4 + (P8(21) & 7)))
		return XDP_DROP;
	bpf_tail_call(ctx, &jumps, 2);
	return XDP_ABORTED;
}

PROGRAM(longer, 40)
{
	int by = (P8(22) & 7) + 1;

	TRACE(3);
	if (bpf_xdp_adjust_head(ctx, -8))
		return XDP_DROP;
	PACKET_AGAIN(ctx, 48, XDP_ABORTED);
	P64(0) = P64(8) + 1;
	P32(8) = 0x12345678;
	if (bpf_xdp_adjust_tail(ctx, -by))
		return XDP_ABORTED;
	bpf_tail_call(ctx, &jumps, by & 1 ? 0 : 2);
	return XDP_TX;
}

PROGRAM(entry, 40)
{
	TRACE(1);
	bpf_tail_call(ctx, &jumps, P8(16) & 3);
	return XDP_PASS;
}
