// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unused.c - programs, a function and a map that cannot be reached, and a tail call that finds
 * no program, are not linked
 */
#include "tails.h"

int next(struct xdp_md *ctx);
int never(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = next, [3] = never);
JUMPS(others, 2, [1] = next);
MAP(spare, ARRAY, 2, __u32, __u64);

static __noinline int idle(struct xdp_md *ctx, __u32 n)
{
	__u64 *v = value_0(&spare);

	if (v)
		__sync_fetch_and_add(v, 1);
	bpf_tail_call(ctx, &others, n);
	return n;
}

PROGRAM(never, 60)
{
	return idle(ctx, P8(16)) & 1;
}

PROGRAM(alone, 60)
{
	return idle(ctx, P8(17)) & 1;
}

PROGRAM(next, 60)
{
	TRACE(2);
	GO(&jumps, (P8(16) & 1) + 1);	/* both slots are empty */
	return VERDICT(P8(18));
}

PROGRAM(entry, 60)
{
	TRACE(1);
	GO(&jumps, 0);
	return idle(ctx, P8(17)) & 1;		/* unreachable: slot 0 has a program */
}
