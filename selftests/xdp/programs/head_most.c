// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* head_most.c - move the start of the packet as far as the card permits, in both directions. */
#include "diff.h"

SEC("xdp") int PROG(head_most, 60)
{
	if (P8(14) & 1) {
		if (bpf_xdp_adjust_head(ctx, -84) || bpf_xdp_adjust_head(ctx, -8))
			return XDP_DROP;
	} else if (P8(14) & 2) {
		/* Some packets are shorter than the move, on the card and on the host. */
		if (bpf_xdp_adjust_head(ctx, 112))
			return XDP_DROP;
	} else {
		if (bpf_xdp_adjust_head(ctx, 40) || bpf_xdp_adjust_head(ctx, -20))
			return XDP_DROP;
	}
	PACKET_AGAIN(ctx, 14, XDP_ABORTED);
	P64(0) = 0x0706050403020100;
	P64(6) = 0xb5880b0a09080706;
	if (data + 92 > end)
		return XDP_PASS;
#pragma unroll
	for (int i = 14; i < 92; i++)
		P8(i) = i;
	return XDP_PASS;
}
