// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jumps_many.c - a loop with more exits than the verifier can keep pending */
#include "../programs/diff.h"

SEC("xdp") int PROG(jumps_many, 60)
{

	for (__u32 i = 0; i < 10000; i++) {	/* refused whole: complex */
		__u64 x = *(volatile __u8 *)(data + 14);

		/* In C the compiler has the way back be the one that jumps. */
		asm volatile goto("if %0 == 77 goto %l[out]" : : "r"(x) : : out);
	}
	return XDP_PASS;
out:
	return XDP_DROP;
}
