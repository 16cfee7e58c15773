// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * recursion.c - a function calls itself, three times at most (KNOWN.rst). Only
 * selftests/xdp/driver_crash.t loads this.
 */
#include "../programs/diff.h"

static __noinline int down(__u32 n)
{
	int r;

	if (!n)
		return 1;
	r = down(n - 1);
	HIDE(r);
	return r + n;
}

SEC("xdp") int PROG(recursion, 60)
{
	P32(30) = down(P8(14) & 3);
	return XDP_PASS;
}
