// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_add_min.c - adding and subtracting -2^31. For short immediates the JIT makes
 * an addition of a negative number a subtraction of the positive one (jit.c,
 * nfp_bpf_opt_neg_add_sub()); -2^31 has none in 32 bits, and stays what it is.
 */
#include "diff.h"

SEC("xdp") int PROG(known_add_min, 60)
{
	__u64 a = P64(14), b = a;

	asm volatile("%0 += -2147483648" : "+r"(a));
	asm volatile("%0 -= -2147483648" : "+r"(b));
	P64(24) = a;
	P64(32) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14);

	P64(24) = a + 0x80000000;
	P64(32) = a - 0x80000000;
	return XDP_PASS;
}
