// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_tail_grow.c - add 4 bytes at a packet's end (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_tail_grow, 60)
{
	return bpf_xdp_adjust_tail(ctx, 4) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }
