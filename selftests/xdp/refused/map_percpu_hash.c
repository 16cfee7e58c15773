// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_percpu_hash.c - a hash map for each CPU, that no program uses */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");	/* refused whole: map-percpu */

SEC("xdp")
int map_percpu_hash(struct xdp_md *ctx)
{
	return XDP_PASS;
}
