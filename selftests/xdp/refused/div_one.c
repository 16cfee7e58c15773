// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div_one.c - a division by 1, which the JIT translates wrongly */
#include "../programs/diff.h"

SEC("xdp") int PROG(div_one, 60)
{
	__u64 x = P32(20);

	asm volatile("%0 /= 1" : "+r"(x));	/* warns: div-one */
	P32(20) = x;
	return XDP_TX;
}
