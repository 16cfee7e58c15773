// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_pruned_shift.c - a shift by 5 or by an amount from the packet (KNOWN.rst: pruned) */
#include "diff.h"

SEC("xdp") int PROG(known_pruned_shift, 60)
{
	__u64 a = P64(14), n = P8(22) & 31;

	asm volatile("if %0 & 1 goto +1; %0 = 5" : "+r"(n));
	asm volatile("%0 <<= %1" : "+r"(a) : "r"(n));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P64(14) << 5;
	return XDP_PASS;
}
