// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* div64.c - 64-bit division of what fits into 32 bits. */
#include "diff.h"

SEC("xdp")
int div64(struct xdp_md *ctx)
{
	__u64 a;

	PACKET(ctx, 128);
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 3;
	HIDE(a);
	P64(18) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 7;
	HIDE(a);
	P64(26) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 10;
	HIDE(a);
	P64(34) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 28;
	HIDE(a);
	P64(42) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 100;
	HIDE(a);
	P64(50) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 641;
	HIDE(a);
	P64(58) = a;
	a = P32(14);
	HIDE(a);
	a &= 0xffffffff;
	a /= 1000;
	HIDE(a);
	P64(66) = a;
	return VERDICT(a);
}
