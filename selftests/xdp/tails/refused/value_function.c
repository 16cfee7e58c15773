// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: 'helper' isn't a valid program reference
 * value_function.c - a function that is no program in a slot
 */
#include "../chain.h"

int helper(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = helper);

__noinline int helper(struct xdp_md *ctx)
{
	return trace(ctx, 1) & 3;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return helper(ctx);
}
