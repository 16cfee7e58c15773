// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loop_endless.c - a loop that does not end */
#include "../programs/diff.h"

SEC("xdp") int loop_endless(struct xdp_md *ctx)
{
	asm volatile("r1 = 0\n1: r1 += 0\nif r1 == 0 goto 1b" : : : "r1");	/* refused: verifier */
	return XDP_PASS;
}
