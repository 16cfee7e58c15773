// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_pruned_mul.c - a factor of 16 bits on one path, 32 bits on another (KNOWN.rst: pruned) */
#include "diff.h"

SEC("xdp") int PROG(known_pruned_mul, 60)
{
	__u64 a = P32(14), b = P16(18);

	asm volatile("if %1 & 1 goto +1; %0 = 5; %0 *= %1" : "+r"(a) : "r"(b));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P32(14), b = P16(18);

	if (!(b & 1))
		a = 5;
	P64(24) = (a & 0xffff) * b;
	return XDP_PASS;
}
