// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* constant.c - constant indexes, one of them of an empty slot */
#include "tails.h"

int second(struct xdp_md *ctx);
int third(struct xdp_md *ctx);
JUMPS(jumps, 4, [1] = second, [3] = third);
MAP(counts, ARRAY, 4, __u32, __u64);

static __always_inline void count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &key);

	if (n)
		__sync_fetch_and_add(n, 1);
}

PROGRAM(third, 60)
{
	TRACE(3);
	count(3);
	return VERDICT(P8(20));
}

PROGRAM(second, 60)
{
	TRACE(2);
	count(2);
	GO(&jumps, 2);		/* empty */
	count(1);
	if (P8(16) & 1)
		bpf_tail_call(ctx, &jumps, 3);
	return XDP_PASS;
}

PROGRAM(entry, 60)
{
	TRACE(1);
	count(0);
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_DROP;
}
