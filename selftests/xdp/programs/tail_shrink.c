// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tail_shrink.c - shorten the packet by a constant, and by a number from the packet. */
#include "diff.h"

SEC("xdp") int PROG(tail_shrink, 60)
{
	int n = P8(14) & 31;

	if (bpf_xdp_adjust_tail(ctx, -1))
		return XDP_DROP;
	if (bpf_xdp_adjust_tail(ctx, -1 - n))
		return XDP_TX;
	return XDP_PASS;
}
