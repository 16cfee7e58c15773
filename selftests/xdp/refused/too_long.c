// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* too_long.c - a program that is too long because of an unrolled loop */
#include "../programs/diff.h"

SEC("xdp") int PROG(too_long, 60)
{
	__u64 x = P64(20);	/* refused whole: too-long */

#pragma unroll
	for (int i = 1; i < 300; i++)
		x = (x << 7 | x >> 57) ^ (x + i * 0x12345679ull);
	P64(20) = x;
	return XDP_TX;
}
