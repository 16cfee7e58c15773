// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value_not_stack.c - a value that is still in the packet */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int value_not_stack(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	__u32 key = P8(14);

	bpf_map_update_elem(&m, &key, data + 26, BPF_ANY);	/* refused: key-not-stack */
	return XDP_PASS;
}
