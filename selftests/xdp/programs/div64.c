// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div64.c - 64-bit divisions of numbers that fit into 32 bits. */
#include "diff.h"

SEC("xdp") int PROG(div64, 128)
{
	static const __u64 by[] = { 3, 7, 10, 28, 100, 641, 1000 };
	__u64 a;

#pragma unroll
	for (int i = 0; i < 7; i++) {
		a = P32(14);
		/* clang does not see that 32 bits would do, the JIT does. */
		asm volatile("%0 <<= 32; %0 >>= 32" : "+r"(a));
		P64(18 + 8 * i) = a = HIDDEN(a / by[i]);
	}
	return VERDICT(a);
}
