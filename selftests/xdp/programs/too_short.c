// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* too_short.c - try to cut into the Ethernet header, which is refused. */
#include "diff.h"

SEC("xdp") int PROG(too_short, 60)
{
	if (bpf_xdp_adjust_tail(ctx, -47 - (P8(14) & 255)))
		return XDP_TX;
	return XDP_PASS;
}
