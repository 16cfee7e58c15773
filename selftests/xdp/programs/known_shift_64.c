// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_shift_64.c - 64-bit shifts by 64 and more (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_shift_64, 60)
{
	__u64 a = P64(14), n = (P8(22) & 31) + 64, r = a;

	asm volatile("%0 <<= %1" : "+r"(r) : "r"(n));
	P64(24) = r;
	r = a;
	asm volatile("%0 >>= %1" : "+r"(r) : "r"(n));
	P64(32) = r;
	r = a;
	asm volatile("%0 s>>= %1" : "+r"(r) : "r"(n));
	P64(40) = r;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14), n = (P8(22) & 31) + 32;

	P64(24) = a << n;
	P64(32) = a >> n;
	P64(40) = (__s64)a >> n;
	return XDP_PASS;
}
