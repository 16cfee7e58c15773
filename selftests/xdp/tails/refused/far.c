// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: a jump of 33[0-9]{3} instructions in the linked program; the limit is 32767
 * link: --native
 * far.c - a program that is too long to be jumped over
 */
#include "../chain.h"

int large(struct xdp_md *ctx);
int behind(struct xdp_md *ctx);
JUMPS(jumps, 2, large, behind);

/* clang would not notice a jump over all that. */
SEC("xdp") int large(struct xdp_md *ctx)
{
	asm volatile("r0 = 1\n .rept 33000\n r0 += 1\n .endr" : : : "r0");
	return XDP_PASS;
}

STAGE(behind, 60)
{
	TRACE(1);
	return XDP_DROP;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);	/* here */
	return XDP_PASS;
}
