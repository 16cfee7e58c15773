// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_ashr_sign.c - arithmetic shifts by amounts with bit 31 set (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_ashr_sign, 60)
{
	__u32 a = P32(14), n = P8(18) | 0x80000000;

	asm volatile("%0 s>>= %1" : "+w"(a) : "w"(n));
	P32(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 a = P32(14), n = P8(18) & 31;

	P32(24) = a >> n | ~(0xffffffff >> n);
	return XDP_PASS;
}
