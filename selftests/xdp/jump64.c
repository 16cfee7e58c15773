// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump64.c - each 64-bit comparison of registers, signed and not. */
#include "diff.h"

SEC("xdp")
int jump64(struct xdp_md *ctx)
{
	__u64 a, b;
	__u32 r = 0;

	PACKET(ctx, 60);
	a = P64(14);
	b = P64(22);
	/* equal, and next to each other, often enough */
	if (P8(30) & 1)
		b = a + (P8(30) >> 6) - 1;
	if ((__u64)a == (__u64)b)
		r += 1 << 0;
	HIDE(r);
	if ((__u64)a != (__u64)b)
		r += 1 << 1;
	HIDE(r);
	if ((__u64)a < (__u64)b)
		r += 1 << 2;
	HIDE(r);
	if ((__u64)a <= (__u64)b)
		r += 1 << 3;
	HIDE(r);
	if ((__u64)a > (__u64)b)
		r += 1 << 4;
	HIDE(r);
	if ((__u64)a >= (__u64)b)
		r += 1 << 5;
	HIDE(r);
	if ((__s64)a < (__s64)b)
		r += 1 << 6;
	HIDE(r);
	if ((__s64)a <= (__s64)b)
		r += 1 << 7;
	HIDE(r);
	if ((__s64)a > (__s64)b)
		r += 1 << 8;
	HIDE(r);
	if ((__s64)a >= (__s64)b)
		r += 1 << 9;
	HIDE(r);
	if (a & b)
		r += 1 << 10;
	HIDE(r);
	P32(32) = r;
	return VERDICT(r);
}
