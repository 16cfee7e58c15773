// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift32_imm.c - 32-bit shifts by constants. */
#include "diff.h"

SEC("xdp")
int shift32_imm(struct xdp_md *ctx)
{
	__u32 a;

	PACKET(ctx, 250);
	a = (__u32)P32(14) << 1;
	HIDE(a);
	P32(22) = a;
	a = (__u32)P32(14) >> 1;
	HIDE(a);
	P32(26) = a;
	a = (__s32)P32(14) >> 1;
	HIDE(a);
	P32(30) = a;
	a = (__u32)P32(14) << 7;
	HIDE(a);
	P32(34) = a;
	a = (__u32)P32(14) >> 7;
	HIDE(a);
	P32(38) = a;
	a = (__s32)P32(14) >> 7;
	HIDE(a);
	P32(42) = a;
	a = (__u32)P32(14) << 8;
	HIDE(a);
	P32(46) = a;
	a = (__u32)P32(14) >> 8;
	HIDE(a);
	P32(50) = a;
	a = (__s32)P32(14) >> 8;
	HIDE(a);
	P32(54) = a;
	a = (__u32)P32(14) << 16;
	HIDE(a);
	P32(58) = a;
	a = (__u32)P32(14) >> 16;
	HIDE(a);
	P32(62) = a;
	a = (__s32)P32(14) >> 16;
	HIDE(a);
	P32(66) = a;
	a = (__u32)P32(14) << 31;
	HIDE(a);
	P32(70) = a;
	a = (__u32)P32(14) >> 31;
	HIDE(a);
	P32(74) = a;
	a = (__s32)P32(14) >> 31;
	HIDE(a);
	P32(78) = a;
	return VERDICT(a);
}
