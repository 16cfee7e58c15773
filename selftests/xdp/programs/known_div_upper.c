// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_div_upper.c - the upper half after a 32-bit division (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_div_upper, 60)
{
	__u64 a = P64(14);

	asm volatile("r1 = %0; w1 ^= 1; w1 /= 3; %0 = r1" : "+r"(a) : : "r1");
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14);
	__u32 low = (__u32)a ^ 1;

	P64(24) = (a >> 32 << 32) | low / 3;
	return XDP_PASS;
}
