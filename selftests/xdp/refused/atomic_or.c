// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_or.c - an atomic operation that is no addition */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_or(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	if (v)
		asm volatile("r1 = 1\nlock *(u64 *)(%0 + 0) |= r1" : : "r"(v) : "r1", "memory");	/* refused: atomic-op */
	return XDP_PASS;
}
