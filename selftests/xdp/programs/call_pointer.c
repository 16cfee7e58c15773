// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call_pointer.c - functions with a pointer to the caller's stack, and with one to the packet. */
#include "diff.h"

static __noinline int rotate(__u32 *p)
{
	__u32 t;

	if (!p)
		return 0;
	t = p[0];
	p[0] = p[1];
	p[1] = t << 3;
	return 0;
}

SEC("xdp") int PROG(call_pointer, 60)
{
	__u32 a[20];

#pragma unroll
	for (int i = 0; i < 20; i++)
		a[i] = P32(14 + i);
	rotate(&a[2]);
	rotate(&a[15]);
	P32(40) = a[2] ^ a[15];
	P32(44) = a[3] + a[16] + a[19];
	return VERDICT(a[15]);
}
