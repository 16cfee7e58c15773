// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_stack.c - an atomic addition to a local variable */
#include "../programs/diff.h"

SEC("xdp") int atomic_stack(struct xdp_md *ctx)
{
	__u64 x = 1, one = 1;

	asm volatile("lock *(u64 *)(%0 + 0) += %1" : : "r"(&x), "r"(one) : "memory");	/* refused: atomic-target */
	return x;
}
