// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* function.c - tail calls in functions: the called program returns to the function's caller */
#include "tails.h"

int inner(struct xdp_md *ctx);
int last(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = inner, [1] = last);

static __noinline int deeper(struct xdp_md *ctx, __u32 n)
{
	if (n > 40)
		bpf_tail_call(ctx, &jumps, 1 + (n & 1));
	return trace(ctx, 1) & 3;
}

static __noinline int helper(struct xdp_md *ctx)
{
	int n = trace(ctx, 2);

	bpf_tail_call(ctx, &jumps, n & 3);
	return deeper(ctx, n) + 1;
}

PROGRAM(last, 60)
{
	TRACE(4);
	return P8(24) & 1 ? XDP_PASS : XDP_TX;
}

PROGRAM(inner, 60)
{
	TRACE(3);
	if (P8(23) & 4)
		return deeper(ctx, P8(25));
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_DROP;
}

PROGRAM(entry, 60)
{
	int got = helper(ctx);

	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(30) = got;
	if (P8(26) & 1)
		return VERDICT(got);
	got = helper(ctx);
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P8(31) = got;
	GO(&jumps, P8(27) & 3);
	return VERDICT(got + P8(28));
}
