// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_movsx.c - a sign-extending move, of BPF version 4 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_movsx, 60)
{
	register __u64 a asm("r1");

	a = P64(14);
	/* r1 = (s8)r1 */
	asm volatile(".8byte 0x00000000000811bf" : "+r"(a));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P64(14);
	return XDP_PASS;
}
