// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_paths.c - a divisor that is another constant on each path; the verifier follows one path */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_paths, 60)
{
	__u64 x = P32(28), by = 3;

	if (P8(14) & 1)
		by = 7;
	HIDE(by);
	asm volatile("%0 /= %1" : "+r"(x) : "r"(by));	/* warns: pruned */
	P32(20) = x;
	return XDP_TX;
}
