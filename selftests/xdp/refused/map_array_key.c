// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_array_key.c - an array with a long key */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u64);
	__type(value, __u64);
} m SEC(".maps");	/* refused whole: map-array-key */

SEC("xdp")
int map_array_key(struct xdp_md *ctx)
{
	return XDP_PASS;
}
