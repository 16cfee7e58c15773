// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_copy_overlap.c - pairs of load and store, of which the second loads what the
 * first has stored in part. The JIT makes a copy of them all the same: it looks
 * for loads that begin behind where the stores do (jit.c, cross_mem_access()).
 */
#include "diff.h"

SEC("xdp") int known_copy_overlap(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	COPY(__u32, 19, 14, 2);
	return XDP_PASS;
}

SEC("card") int in_card(struct xdp_md *ctx)
{
	__u64 v;

	PACKET(ctx, 60);
	v = P64(14);
	P64(19) = v;
	return XDP_PASS;
}
