// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* key_not_stack.c - a key that is still in the packet */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int key_not_stack(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	return bpf_map_lookup_elem(&m, data + 26) ? XDP_DROP : XDP_PASS;	/* refused: key-not-stack */
}
