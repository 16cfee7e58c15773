// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_moves.c - one load at different offsets of the stack */
#include "../programs/diff.h"

SEC("xdp") int PROG(stack_moves, 60)
{
	__u8 a[8] __attribute__((aligned(8)));
	__u8 *p = a;

	*(volatile __u64 *)a = P64(20);
	if (P8(14) & 1)
		asm volatile("%0 += 3" : "+r"(p));
	asm volatile("" : "+r"(p) : : "memory");
	return *p & 1 ? XDP_PASS : XDP_DROP;	/* refused: stack-moves */
}
