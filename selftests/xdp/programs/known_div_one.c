// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_div_one.c - a division by 1 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_div_one, 60)
{
	__u32 a = P32(14);

	asm volatile("%0 += 3; %0 /= 1" : "+w"(a));
	P32(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 a = P32(14);

	P32(24) = (a + 3) >> (a & 31);
	return XDP_PASS;
}
