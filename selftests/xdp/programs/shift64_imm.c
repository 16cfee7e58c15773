// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift64_imm.c - 64-bit shifts by constants. */
#include "diff.h"

SEC("xdp")
int shift64_imm(struct xdp_md *ctx)
{
	__u64 a;

	PACKET(ctx, 250);
	a = (__u64)P64(14) << 1;
	HIDE(a);
	P64(22) = a;
	a = (__u64)P64(14) >> 1;
	HIDE(a);
	P64(30) = a;
	a = (__s64)P64(14) >> 1;
	HIDE(a);
	P64(38) = a;
	a = (__u64)P64(14) << 8;
	HIDE(a);
	P64(46) = a;
	a = (__u64)P64(14) >> 8;
	HIDE(a);
	P64(54) = a;
	a = (__s64)P64(14) >> 8;
	HIDE(a);
	P64(62) = a;
	a = (__u64)P64(14) << 31;
	HIDE(a);
	P64(70) = a;
	a = (__u64)P64(14) >> 31;
	HIDE(a);
	P64(78) = a;
	a = (__s64)P64(14) >> 31;
	HIDE(a);
	P64(86) = a;
	a = (__u64)P64(14) << 32;
	HIDE(a);
	P64(94) = a;
	a = (__u64)P64(14) >> 32;
	HIDE(a);
	P64(102) = a;
	a = (__s64)P64(14) >> 32;
	HIDE(a);
	P64(110) = a;
	a = (__u64)P64(14) << 33;
	HIDE(a);
	P64(118) = a;
	a = (__u64)P64(14) >> 33;
	HIDE(a);
	P64(126) = a;
	a = (__s64)P64(14) >> 33;
	HIDE(a);
	P64(134) = a;
	a = (__u64)P64(14) << 40;
	HIDE(a);
	P64(142) = a;
	a = (__u64)P64(14) >> 40;
	HIDE(a);
	P64(150) = a;
	a = (__s64)P64(14) >> 40;
	HIDE(a);
	P64(158) = a;
	a = (__u64)P64(14) << 63;
	HIDE(a);
	P64(166) = a;
	a = (__u64)P64(14) >> 63;
	HIDE(a);
	P64(174) = a;
	a = (__s64)P64(14) >> 63;
	HIDE(a);
	P64(182) = a;
	return VERDICT(a);
}
