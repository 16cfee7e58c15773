// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_empty.c - a map without entries */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 0);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");	/* refused whole: map-empty */

SEC("xdp")
int map_empty(struct xdp_md *ctx)
{
	return XDP_PASS;
}
