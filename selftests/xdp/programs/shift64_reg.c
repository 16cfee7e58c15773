// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift64_reg.c - 64-bit shifts by what the packet says. */
#include "diff.h"

SEC("xdp") int shift64_reg(struct xdp_md *ctx)
{
	__u64 a, n, r;

	PACKET(ctx, 60);
	a = P64(14);
	n = P8(22) & 63;
	HIDE(n);
	n &= 63;
	r = SHIFTS(64, a, n, 24, 8);
	return VERDICT(r);
}
