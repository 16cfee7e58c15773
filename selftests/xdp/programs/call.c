// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call.c - functions and helpers */
#include "diff.h"

/* ---- call: a function of the program, called twice */
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

/* ---- call_deep: nested calls of functions that use r6 to r9 and the stack */
static __noinline __u64 inner(__u64 a, __u64 b)
{
	volatile __u64 s[5] = { a, b, a + b, a ^ b, a - b };

	return s[0] + s[4] + (s[2] ^ s[3]);
}

static __noinline __u64 outer(__u64 a, __u64 b)
{
	volatile __u64 s[3] = { a, b };
	__u64 r = inner(a, 5), q = inner(b, r);

	s[2] = inner(q, a ^ b);
	return r + s[2] + s[0] - s[1] + q;
}

SEC("xdp") int PROG(call_deep, 60)
{
	__u64 a = P64(14), b = P64(22), c = P64(30), r = outer(a, b);

	r += outer(b, c) ^ a;
	r ^= inner(c, r) + b;
	P64(40) = r;
	P64(50) = a ^ b ^ c;
	return VERDICT(r);
}

/* ---- call_pointer: functions with a pointer to the caller's stack, and with one to the packet */
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

/* ---- random: random numbers differ from each other */
SEC("xdp") int PROG(random, 60)
{
	__u32 a = bpf_get_prandom_u32(), b = bpf_get_prandom_u32();
	__u32 c = bpf_get_prandom_u32();

	return a == b && b == c ? XDP_ABORTED : VERDICT(P8(14));
}
