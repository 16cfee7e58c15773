// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: tail calls form a cycle: entry -> entry. With --loop they are counted
 * link: --slot jumps:1=entry
 * circle_self.c - a program that leads to itself, by what --slot says
 */
#include "../chain.h"

MAP(jumps, PROG_ARRAY, 2, __u32, __u32);

STAGE(entry, 60)
{
	if (P8(16))
		bpf_tail_call(ctx, &jumps, P8(17) & 1);	/* here */
	return XDP_PASS;
}
