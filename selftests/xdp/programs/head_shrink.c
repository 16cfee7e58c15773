// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* head_shrink.c - remove bytes at the front; the packet gives their number. */
#include "diff.h"

SEC("xdp") int PROG(head_shrink, 60)
{
	int n = P8(14) & 31;

	if (bpf_xdp_adjust_head(ctx, n))
		return XDP_DROP;
	PACKET_AGAIN(ctx, 14, XDP_ABORTED);
	P8(3) = n;
	P16(12) = bpf_htons(0x88b5);
	return XDP_PASS;
}
