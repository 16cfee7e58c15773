// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_zero.c - a divisor that is always 0: the driver divides by it */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_zero, 60)
{
	__u64 x = P32(28), by = 0;

	asm volatile("%0 /= %1" : "+r"(x) : "r"(by));	/* refused: div-zero */
	P32(20) = x;
	return XDP_TX;
}
