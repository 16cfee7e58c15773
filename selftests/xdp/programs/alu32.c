// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* alu32.c - 32-bit arithmetic and logic, results zero-extended. */
#include "diff.h"

SEC("xdp")
int alu32(struct xdp_md *ctx)
{
	__u32 a, b, r;

	PACKET(ctx, 60);
	a = P32(14);
	b = P32(18);
	r = a + b;
	HIDE(r);
	P64(24) = r;
	r = a - b;
	HIDE(r);
	P64(32) = r;
	r = (a & b) ^ (a | ~b);
	HIDE(r);
	r = -r;
	HIDE(r);
	P64(40) = r;
	r = a ^ 0x80000001;
	HIDE(r);
	P32(48) = r;
	return VERDICT(r);
}
