// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump32.c - each 32-bit comparison of registers, signed and not. */
#include "diff.h"

SEC("xdp")
int jump32(struct xdp_md *ctx)
{
	__u32 a, b;
	__u32 r = 0;

	PACKET(ctx, 60);
	a = P32(14);
	b = P32(22);
	/* equal, and next to each other, often enough */
	if (P8(30) & 1)
		b = a + (P8(30) >> 6) - 1;
	if ((__u32)a == (__u32)b)
		r += 1 << 0;
	HIDE(r);
	if ((__u32)a != (__u32)b)
		r += 1 << 1;
	HIDE(r);
	if ((__u32)a < (__u32)b)
		r += 1 << 2;
	HIDE(r);
	if ((__u32)a <= (__u32)b)
		r += 1 << 3;
	HIDE(r);
	if ((__u32)a > (__u32)b)
		r += 1 << 4;
	HIDE(r);
	if ((__u32)a >= (__u32)b)
		r += 1 << 5;
	HIDE(r);
	if ((__s32)a < (__s32)b)
		r += 1 << 6;
	HIDE(r);
	if ((__s32)a <= (__s32)b)
		r += 1 << 7;
	HIDE(r);
	if ((__s32)a > (__s32)b)
		r += 1 << 8;
	HIDE(r);
	if ((__s32)a >= (__s32)b)
		r += 1 << 9;
	HIDE(r);
	if (a & b)
		r += 1 << 10;
	HIDE(r);
	P32(32) = r;
	return VERDICT(r);
}
