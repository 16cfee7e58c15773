// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hash.c - look a key up, and add it if it is missing. */
#include "diff.h"

struct key {
	__u32 a;
	__u16 b;
	__u16 c;
};

MAP(table, HASH, 20, struct key, __u64);

SEC("xdp") int hash(struct xdp_md *ctx)
{
	struct key k = {};
	__u64 *v, init;

	PACKET(ctx, 60);
	k.a = P8(14) & 15;
	k.b = P8(15) & 1;
	v = bpf_map_lookup_elem(&table, &k);
	if (v) {
		P64(20) = *v;
		return XDP_PASS;
	}
	init = P64(30);
	if (bpf_map_update_elem(&table, &k, &init, BPF_NOEXIST))
		return XDP_DROP;
	return XDP_TX;
}
