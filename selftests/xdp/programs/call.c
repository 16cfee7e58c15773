// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call.c - a function of the program, called twice. */
#include "diff.h"

static __noinline __u64 mix(__u64 a, __u64 b, __u32 n)
{
	a = (a << 7 | a >> 57) + b;
	return a ^ (b + n);
}

SEC("xdp") int PROG(call, 60)
{
	__u64 r = mix(P32(14), P32(18), 3);

	r += mix(P32(22), r, 9);
	P64(30) = r;
	return VERDICT(r);
}
