// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* key_align.c - a key between words */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u8);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int key_align(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	struct {
		__u8 before[2], key;
	} __attribute__((packed)) x;

	x.key = P8(14);
	return bpf_map_lookup_elem(&m, &x.key) ? XDP_DROP : XDP_PASS;	/* refused: key-align */
}
