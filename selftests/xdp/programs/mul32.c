// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mul32.c - multiplication of 32, 16 and 8-bit numbers, by each other and by constants. */
#include "diff.h"

SEC("xdp") int PROG(mul32, 128)
{
	__u32 a = P32(14), b = P32(18);
	__u64 r;

	P64(22) = (__u64)a * b;
	P64(30) = (__u64)P16(14) * P16(18);
	P64(38) = (__u64)P8(14) * P8(18);
	P64(46) = (__u64)a * 0xffffffff;
	P64(54) = (__u64)a * 1000;
	P64(62) = (__u64)P16(16) * 0xfff1;
	r = (__u64)a * P8(30);
	P64(70) = r;
	P32(78) = HIDDEN(a * b);
	P32(82) = HIDDEN(P32(14) * 77);
	return VERDICT(r);
}
