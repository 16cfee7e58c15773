// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_upper.c - a 32-bit quotient used as 64 bits, with a loaded and with a moved dividend */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_upper, 60)
{
	__u64 x = P64(20), y = P64(28);

	asm volatile("r1 = %0; w1 += 1; w1 /= 10; %0 = r1" : "+r"(x) : : "r1"); /* warns: div-upper */
	asm volatile("r1 = %0; w1 = w1; w1 /= 10; %0 = r1" : "+r"(y) : : "r1");
	P64(20) = x + y;
	return XDP_TX;
}
