// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_negative.c - a negative divisor */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_negative, 60)
{
	__u64 x = P32(28);

	asm volatile("%0 /= -7" : "+r"(x));	/* refused: div-negative */
	P32(20) = x;
	return XDP_TX;
}
