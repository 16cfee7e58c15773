// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift64_reg.c - 64-bit shifts by amounts from the packet. */
#include "diff.h"

SEC("xdp") int PROG(shift64_reg, 60)
{
	__u64 a = P64(14), n = P8(22) & 63, r;

	HIDE(n);
	n &= 63;
	r = SHIFTS(64, a, n, 24, 8);
	return VERDICT(r);
}
