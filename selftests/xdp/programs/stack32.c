// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack32.c - accesses of each width to a stack of up to 32 bytes. */
#include "diff.h"

SEC("xdp") int PROG(stack32, 60)
{
	volatile __u64 a[2];
	volatile __u32 b[2];
	volatile __u16 c[2];
	volatile __u8 d[4];

	a[0] = P64(14);
	b[1] = P32(22);
	c[1] = P16(26);
	d[3] = P8(28);
	d[1] = P8(29);
	a[1] = a[0] + b[1];
	b[0] = c[1] ^ d[3];
	c[0] = d[1] + 7;
	P64(30) = a[1];
	P32(38) = b[0];
	P16(42) = c[0];
	return VERDICT(d[1]);
}
