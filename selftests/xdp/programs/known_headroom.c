// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_headroom.c - add 93 bytes in front of a packet, or remove 113 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_headroom, 60)
{
	if (P8(14) & 1)
		return bpf_xdp_adjust_head(ctx, 113) ? XDP_DROP : XDP_PASS;
	return bpf_xdp_adjust_head(ctx, -84) || bpf_xdp_adjust_head(ctx, -9) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }
