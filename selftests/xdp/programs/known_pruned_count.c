// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_pruned_count.c - add 16 bits on one path, 32 bits on another (KNOWN.rst: pruned) */
#include "diff.h"

MAP(counts, ARRAY, 1, __u32, __u64);

SEC("xdp") int known_pruned_count(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v, n;

	PACKET(ctx, 60);
	v = bpf_map_lookup_elem(&counts, &key);
	if (!v)
		return XDP_DROP;
	/* The verifier compares states only if some jumps have passed since the last comparison. */
	PACKET_AGAIN(ctx, 60, XDP_DROP);
	P8(20) += P8(21) > 3;
	n = P32(14);
	asm volatile("if %0 & 1 goto +1; %0 = 5; lock *(u64 *)(%1 + 0) += %0"
		     : "+r"(n) : "r"(v) : "memory");
	return XDP_PASS;
}

SEC("card") int in_card(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v, n;

	PACKET(ctx, 60);
	n = P16(14);
	v = bpf_map_lookup_elem(&counts, &key);
	P8(20) += P8(21) > 3;
	if (v)
		__sync_fetch_and_add(v, n & 1 ? n : 5);
	return XDP_PASS;
}
