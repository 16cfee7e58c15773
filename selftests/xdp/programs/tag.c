// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tag.c - insert 4 bytes, an EtherType and a number, after the addresses. */
#include "diff.h"

SEC("xdp") int tag(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_head(ctx, -4))
		return XDP_DROP;
	PACKET(ctx, 64);
	P64(0) = P64(4);
	P32(8) = P32(12);
	P16(12) = bpf_htons(0x88b6);
	P16(14) = bpf_htons(7);
	return XDP_PASS;
}
