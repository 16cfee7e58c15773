// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call_deep.c - nested calls of functions that use r6 to r9 and the stack. */
#include "diff.h"

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
