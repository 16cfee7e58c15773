// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hash_large.c - keys and values of the largest size that the card accepts. */
#include "diff.h"

struct large {
	__u32 w[7];
};

MAP(table, HASH, 4, struct large, struct large);

SEC("xdp") int hash_large(struct xdp_md *ctx)
{
	struct large k = {}, v = {};
	struct large *p;

	PACKET(ctx, 60);
	k.w[0] = P8(14) & 7;
	k.w[6] = 0x1234567;
	v.w[0] = P32(16);
	v.w[5] = P32(20);
	p = bpf_map_lookup_elem(&table, &k);
	if (p) {
		P32(30) = p->w[0];
		P32(34) = p->w[5];
	}
	bpf_map_update_elem(&table, &k, &v, BPF_ANY);
	return p ? XDP_PASS : XDP_TX;
}
