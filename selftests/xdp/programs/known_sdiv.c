// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_sdiv.c - a signed division, of BPF version 4 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_sdiv, 60)
{
	register __u64 a asm("r1");

	a = P32(14);
	/* w1 s/= 3 */
	asm volatile(".8byte 0x0000000300010134" : "+r"(a));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P32(14) / 3;
	return XDP_PASS;
}
