// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* open_copy.c - a copy directly before the exit, which crashes the driver */
#include "../programs/diff.h"

SEC("xdp") __attribute__((naked)) int open_copy(struct xdp_md *ctx)
{
	asm volatile("r0 = 2\n"	/* refused: open-copy */
		     "r2 = *(u32 *)(r1 + 0)\n"
		     "r3 = *(u32 *)(r1 + 4)\n"
		     "r4 = r2\n"
		     "r4 += 16\n"
		     "if r4 > r3 goto 1f\n"
		     "r5 = *(u8 *)(r2 + 0)\n"
		     "*(u8 *)(r2 + 6) = r5\n"
		     "1: exit");
}
