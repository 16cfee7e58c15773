// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* alu64.c - 64-bit arithmetic and logic: carries and borrows between the halves. */
#include "diff.h"

SEC("xdp") int PROG(alu64, 60)
{
	__u64 a = P64(14), b = P64(22), r;

	P64(30) = HIDDEN(a + b);
	P64(38) = HIDDEN(a - b);
	r = HIDDEN((a & b) ^ (a | ~b));
	r = HIDDEN(-r);
	P64(46) = r;
	return VERDICT(r >> 33);
}
