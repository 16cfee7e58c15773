// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift.c - a shift of 32 bits by 40 */
#include "../programs/diff.h"

SEC("xdp") int PROG(shift, 60)
{
	__u32 x = P32(28), by = 40;

	asm volatile("%0 <<= %1" : "+w"(x) : "w"(by));	/* refused: shift */
	P32(20) = x;
	return XDP_TX;
}
