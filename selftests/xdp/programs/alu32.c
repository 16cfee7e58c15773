// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* alu32.c - 32-bit arithmetic and logic, results zero-extended. */
#include "diff.h"

SEC("xdp") int PROG(alu32, 60)
{
	__u32 a = P32(14), b = P32(18), r;

	P64(24) = HIDDEN(a + b);
	P64(32) = HIDDEN(a - b);
	r = HIDDEN((a & b) ^ (a | ~b));
	P64(40) = HIDDEN(-r);
	r = HIDDEN(a ^ 0x80000001);
	P32(48) = r;
	return VERDICT(r);
}
