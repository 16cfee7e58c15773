// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div32.c - division by constants, with and without post-shift and increment. */
#include "diff.h"

SEC("xdp")
int div32(struct xdp_md *ctx)
{
	__u32 a;

	PACKET(ctx, 128);
	a = P32(14) / 2u;
	HIDE(a);
	P32(18) = a;
	a = P32(14) / 3u;
	HIDE(a);
	P32(22) = a;
	a = P32(14) / 5u;
	HIDE(a);
	P32(26) = a;
	a = P32(14) / 7u;
	HIDE(a);
	P32(30) = a;
	a = P32(14) / 10u;
	HIDE(a);
	P32(34) = a;
	a = P32(14) / 13u;
	HIDE(a);
	P32(38) = a;
	a = P32(14) / 28u;
	HIDE(a);
	P32(42) = a;
	a = P32(14) / 60u;
	HIDE(a);
	P32(46) = a;
	a = P32(14) / 100u;
	HIDE(a);
	P32(50) = a;
	a = P32(14) / 641u;
	HIDE(a);
	P32(54) = a;
	a = P32(14) / 1000u;
	HIDE(a);
	P32(58) = a;
	a = P32(14) / 4096u;
	HIDE(a);
	P32(62) = a;
	a = P32(14) / 65535u;
	HIDE(a);
	P32(66) = a;
	a = P32(14) / 65537u;
	HIDE(a);
	P32(70) = a;
	a = P32(14) / 1000000007u;
	HIDE(a);
	P32(74) = a;
	a = P32(14) / 2147483648u;
	HIDE(a);
	P32(78) = a;
	a = P32(14) / 4294967295u;
	HIDE(a);
	P32(82) = a;
	return VERDICT(a);
}
