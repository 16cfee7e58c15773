// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_or.c - an atomic operation that is no addition */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int atomic_or(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	if (v)
		asm volatile("r1 = 1\nlock *(u64 *)(%0 + 0) |= r1" : : "r"(v) : "r1", "memory");	/* refused: atomic-op */
	return XDP_PASS;
}
