// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* call_depth.c - calls that are nested nine functions deep */
#include "../programs/diff.h"

#define CALLS(n, next) \
	static __noinline int f##n(void *data) \
	{ \
		int x = P8(n); \
		HIDE(x); \
		return x + next; \
	}

CALLS(8, 1)
CALLS(7, f8(data))	/* refused: call-depth */
CALLS(6, f7(data))
CALLS(5, f6(data))
CALLS(4, f5(data))
CALLS(3, f4(data))
CALLS(2, f3(data))
CALLS(1, f2(data))

SEC("xdp") int PROG(call_depth, 60)
{
	return f1(data) > 100 ? XDP_DROP : XDP_PASS;
}
