// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_write.c - a counter that is not atomic */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int map_write(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	if (v)
		*v += 1;	/* refused: map-write */
	return XDP_PASS;
}
