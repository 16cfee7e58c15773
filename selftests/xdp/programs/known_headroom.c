// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_headroom.c - 96 bytes more in front of a packet (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_headroom, 60)
{
	return bpf_xdp_adjust_head(ctx, -96) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }
