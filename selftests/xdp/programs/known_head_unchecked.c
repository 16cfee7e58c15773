// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_head_unchecked.c - remove 30 bytes in front of a packet of 40 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_head_unchecked, 60)
{
	if (bpf_xdp_adjust_tail(ctx, 40 - (int)(end - data)))
		return XDP_TX;
	return bpf_xdp_adjust_head(ctx, 30) ? XDP_PASS : XDP_DROP;
}

SEC("card") int in_card(struct xdp_md *ctx) { return XDP_ABORTED; }
