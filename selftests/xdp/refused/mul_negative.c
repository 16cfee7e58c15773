// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mul_negative.c - a negative factor of 64 bits */
#include "../programs/diff.h"

SEC("xdp") int PROG(mul_negative, 60)
{
	__u64 x = P32(14);

	asm volatile("%0 *= -3" : "+r"(x));	/* refused: mul-range */
	P64(20) = x;
	return XDP_TX;
}
