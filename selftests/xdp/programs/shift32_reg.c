// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift32_reg.c - 32-bit shifts by amounts from the packet. */
#include "diff.h"

SEC("xdp") int PROG(shift32_reg, 60)
{
	__u32 a = P32(14), n = P8(22) & 31, r;

	HIDE(n);
	n &= 31;
	r = SHIFTS(32, a, n, 24, 8);
	return VERDICT(r);
}
