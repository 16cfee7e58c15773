// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* move.c - move both ends of a packet, select a random queue, send the packet back. */
#define NO_LICENSE
#include "diff.h"

SEC("xdp") int move(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_head(ctx, -4) || bpf_xdp_adjust_tail(ctx, -2))
		return XDP_ABORTED;
	ctx->rx_queue_index = bpf_get_prandom_u32() & 1;
	return XDP_TX;
}
