// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_flags.c - a hash map that allocates as it goes */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} m SEC(".maps");	/* refused whole: map-flags */

SEC("xdp")
int map_flags(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	return v && *v ? XDP_DROP : XDP_PASS;
}
