// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* alu64.c - 64-bit arithmetic and logic: carries and borrows between the halves. */
#include "diff.h"

SEC("xdp") int alu64(struct xdp_md *ctx)
{
	__u64 a, b, r;

	PACKET(ctx, 60);
	a = P64(14);
	b = P64(22);
	P64(30) = HIDDEN(a + b);
	P64(38) = HIDDEN(a - b);
	r = HIDDEN((a & b) ^ (a | ~b));
	r = HIDDEN(-r);
	P64(46) = r;
	return VERDICT(r >> 33);
}
