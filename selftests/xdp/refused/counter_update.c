// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counter_update.c - counters that are set to what is in the packet */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int counter_update(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	__u32 key = P32(26);
	__u64 was = P32(30), *v = bpf_map_lookup_elem(&m, &key);

	if (v) {
		__sync_fetch_and_add(v, 1);
		return XDP_PASS;
	}
	bpf_map_update_elem(&m, &key, &was, BPF_ANY);	/* refused: counter-update */
	return XDP_PASS;
}
