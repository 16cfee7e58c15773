// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: --loop
 * circle.c - programs that call each other: at most 33 tail calls are made
 */
#include "tails.h"

int one(struct xdp_md *ctx);
int two(struct xdp_md *ctx);
int entry(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = one, [1] = two, [2] = entry);

PROGRAM(one, 60)
{
	TRACE(1);
	P8(31)++;
	if (P8(30) & 1)
		bpf_tail_call(ctx, &jumps, 3);	/* empty slot: the call is not counted */
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}

PROGRAM(two, 60)
{
	TRACE(2);
	P8(32)++;
	if (P8(32) > P8(33))
		return VERDICT(P8(34));
	bpf_tail_call(ctx, &jumps, P8(35) & 3);
	return XDP_TX;
}

PROGRAM(entry, 60)
{
	P8(33) &= 63;
	P8(36)++;
	bpf_tail_call(ctx, &jumps, 0);
	return XDP_DROP;
}
