// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* both_ends.c - move both ends of the packet, and read its length after each move. */
#include "diff.h"

SEC("xdp") int PROG(both_ends, 60)
{
	if (bpf_xdp_adjust_tail(ctx, -6))
		return XDP_DROP;
	if (bpf_xdp_adjust_head(ctx, 4))
		return XDP_ABORTED;
	PACKET_AGAIN(ctx, 20, XDP_DROP);
	P16(14) = end - data;
	P16(12) = bpf_htons(0x88b5);
	return VERDICT(P8(16));
}
