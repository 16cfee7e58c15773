// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_tail_zero.c - adjust_tail by 0 is -EINVAL on the card (jit.c, adjust_tail()). */
#include "diff.h"

SEC("xdp") int known_tail_zero(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	return bpf_xdp_adjust_tail(ctx, 0) ? XDP_DROP : XDP_PASS;
}

SEC("card") int in_card(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	return XDP_DROP;
}
