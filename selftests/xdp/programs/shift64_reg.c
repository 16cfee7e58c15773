// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift64_reg.c - 64-bit shifts by what the packet says. */
#include "diff.h"

SEC("xdp")
int shift64_reg(struct xdp_md *ctx)
{
	__u64 a, n, r;

	PACKET(ctx, 60);
	a = P64(14);
	n = P8(22) & 63;
	HIDE(n);
	n &= 63;
	r = a << n;
	HIDE(r);
	P64(24) = r;
	r = a >> n;
	HIDE(r);
	P64(32) = r;
	r = (__s64)a >> n;
	HIDE(r);
	P64(40) = r;
	return VERDICT(r);
}
