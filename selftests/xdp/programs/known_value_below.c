// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_value_below.c - a load below a pointer into a map's value (KNOWN.rst) */
#include "diff.h"

MAP(in_values, ARRAY, 64, __u32, __u64[4]);

static __always_inline __u64 second(__u32 key)
{
	__u64 *v = bpf_map_lookup_elem(&in_values, &key);
	__u64 r = 0;

	if (v)
		asm volatile("%1 += 24; %0 = *(u64 *)(%1 - 16)" : "=r"(r), "+r"(v));
	return r;
}

SEC("xdp") int PROG(known_value_below, 60)
{
	P64(24) = second(P8(14) & 31);
	return XDP_PASS;
}

/* Entries have 32 bytes and are adjacent, so 256 bytes are 8 entries. */
SEC("card") int in_card(struct xdp_md *ctx)
{
	__u64 *v;
	__u32 key;

	PACKET(ctx, 60);
	key = (P8(14) & 31) + 8;
	v = bpf_map_lookup_elem(&in_values, &key);
	if (v)
		P64(24) = v[1];
	return XDP_PASS;
}
