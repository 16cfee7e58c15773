// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ---- atomic: atomic adds of 32 and 64 bits, of variables and constants */
#include "diff.h"

struct sum {
	__u64 packets;
	__u64 bytes;
	__u32 small;
	__u32 other;
};

MAP(sums, ARRAY, 3, __u32, struct sum);

SEC("xdp") int atomic(struct xdp_md *ctx)
{
	__u32 k;
	struct sum *s;

	PACKET(ctx, 60);
	k = P8(14) & 3;
	s = bpf_map_lookup_elem(&sums, &k);
	if (!s)
		return XDP_ABORTED;
	__sync_fetch_and_add(&s->packets, 1);
	__sync_fetch_and_add(&s->bytes, end - data);
	__sync_fetch_and_add(&s->bytes, P64(16));
	__sync_fetch_and_add(&s->small, 0xffff);
	__sync_fetch_and_add(&s->other, P32(20));
	__sync_fetch_and_add(&s->other, 0x10000);
	return VERDICT(k);
}
