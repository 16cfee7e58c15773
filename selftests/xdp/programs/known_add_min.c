// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_add_min.c - -2^31 is added and subtracted (KNOWN.rst: imm_min) */
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
