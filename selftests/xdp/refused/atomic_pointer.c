// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_pointer.c - an atomic addition of a pointer */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_pointer(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		asm volatile("lock *(u64 *)(%0 + 0) += %1" : : "r"(v), "r"(ctx) : "memory");	/* refused: atomic-value */
	return XDP_PASS;
}
