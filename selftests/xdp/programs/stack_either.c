// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_either.c - an offset in the stack that depends on the path. */
#include "diff.h"

SEC("xdp") int PROG(stack_either, 60)
{
	volatile __u64 a[12];
	volatile __u32 *p;
	__u32 r;

#pragma unroll
	for (int i = 0; i < 12; i++)
		a[i] = P64(14 + i);
	p = (void *)&a[1];
	if (P8(30) & 1)
		p = (void *)&a[9];
	HIDE(p);
	*p += 0x10203;
	r = *p;
	p[1] = r;
	P64(32) = a[1];
	P64(40) = a[9];
	return VERDICT(r);
}
