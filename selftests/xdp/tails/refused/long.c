// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: the linked program has 3[0-9]{3} microengine instructions, bpf-2.0.6.124 has room for 2816
 * then: 1[0-9]{3}  program first
 * then: [0-9]+  program second
 * then: [0-9]+  program entry
 * then: [0-9]+  the code around the programs
 * long.c - programs that are too long together; the message has the words of each
 */
#include "../chain.h"

int first(struct xdp_md *ctx);
int second(struct xdp_md *ctx);
JUMPS(jumps, 2, first, second);

STAGE(first, 60)
{
	asm volatile("r0 = 1\n .rept 900\n r0 += 7\n .endr" : : : "r0");
	return XDP_PASS;
}

STAGE(second, 60)
{
	asm volatile("r0 = 1\n .rept 600\n r0 += 7\n .endr" : : : "r0");
	return XDP_DROP;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}
