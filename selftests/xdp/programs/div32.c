// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div32.c - division by constants, with and without post-shift and increment. */
#include "diff.h"

SEC("xdp") int PROG(div32, 128)
{
	static const __u32 by[] = {
		2, 3, 5, 7, 10, 13, 28, 60, 100, 641, 1000, 4096, 65535, 65537, 1000000007,
		2147483648, 4294967295,
	};
	__u32 a;

#pragma unroll
	for (int i = 0; i < 17; i++)
		P32(18 + 4 * i) = a = HIDDEN(P32(14) / by[i]);
	return VERDICT(a);
}
