// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* head_grow.c - make room in front of the packet, and write an address into it. */
#include "diff.h"

SEC("xdp") int head_grow(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_head(ctx, -8))
		return XDP_DROP;
	PACKET(ctx, 22);
	P64(0) = P64(8);
	P32(8) = 0x12345678;
	P16(12) = bpf_htons(0x88b5);
	return XDP_TX;
}
