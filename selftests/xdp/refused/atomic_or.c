// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_or.c - an atomic operation that is no addition */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_or(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		asm volatile("r1 = 1\nlock *(u64 *)(%0 + 0) |= r1" : : "r"(v) : "r1", "memory");	/* refused: atomic-op */
	return XDP_PASS;
}
