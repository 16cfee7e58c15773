// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_pruned_call.c - known_pruned_mul.c with the paths in a function (KNOWN.rst: pruned) */
#include "diff.h"

static __noinline __u64 either(__u64 a, __u64 b)
{
	asm volatile("if %1 & 1 goto +1; %0 = 5" : "+r"(a) : "r"(b));
	/* The verifier compares states only if eight instructions have passed since the last. */
	asm volatile(".rept 8; %0 = %0; .endr" : "+r"(a));
	return a;
}

SEC("xdp") int PROG(known_pruned_call, 60)
{
	__u64 b = P16(18), a = either(P32(14), b);

	asm volatile("%0 *= %1" : "+r"(a) : "r"(b));
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
