// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ends.c - moves of the packet's ends */
#include "diff.h"

/* ---- head_grow: make room in front of the packet, and write an address into it */
SEC("xdp") int head_grow(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_head(ctx, -8))
		return XDP_DROP;
	PACKET(ctx, 22);
	P64(0) = P64(8);
	P32(8) = 0x12345678;
	P16(12) = bpf_htons(0x88b5);
	return XDP_TX;
}

/* ---- head_shrink: remove bytes at the front; the packet gives their number */
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

/* ---- head_most: move the start of the packet as far as the card permits, in both directions */
SEC("xdp") int PROG(head_most, 60)
{
	if (P8(14) & 1) {
		if (bpf_xdp_adjust_head(ctx, -84) || bpf_xdp_adjust_head(ctx, -8))
			return XDP_DROP;
	} else if (P8(14) & 2) {
		/* Some packets are shorter than the move, on the card and on the host. */
		if (bpf_xdp_adjust_head(ctx, 112))
			return XDP_DROP;
	} else {
		if (bpf_xdp_adjust_head(ctx, 40) || bpf_xdp_adjust_head(ctx, -20))
			return XDP_DROP;
	}
	PACKET_AGAIN(ctx, 14, XDP_ABORTED);
	P64(0) = 0x0706050403020100;
	P64(6) = 0xb5880b0a09080706;
	if (data + 92 > end)
		return XDP_PASS;
#pragma unroll
	for (int i = 14; i < 92; i++)
		P8(i) = i;
	return XDP_PASS;
}

/* ---- head_old: after a move of the start, use old packet pointers: they are plain numbers */
SEC("xdp") int PROG(head_old, 60)
{
	void *was = data, *was_end = end;
	__u32 r;

	HIDE(was);
	HIDE(was_end);
	if (bpf_xdp_adjust_head(ctx, 4))
		return XDP_DROP;
	PACKET_AGAIN(ctx, 56, XDP_ABORTED);
	if (was + 61 > was_end)
		P8(13) = 1;
	r = was_end - was;
	P32(14) = r;
	return VERDICT(r);
}

/* ---- tail_shrink: shorten the packet by a constant, and by a number from the packet */
SEC("xdp") int PROG(tail_shrink, 60)
{
	int n = P8(14) & 31;

	if (bpf_xdp_adjust_tail(ctx, -1))
		return XDP_DROP;
	if (bpf_xdp_adjust_tail(ctx, -1 - n))
		return XDP_TX;
	return XDP_PASS;
}

/* ---- too_short: try to cut into the Ethernet header, which is refused */
SEC("xdp") int PROG(too_short, 60)
{
	if (bpf_xdp_adjust_tail(ctx, -47 - (P8(14) & 255)))
		return XDP_TX;
	return XDP_PASS;
}

/* ---- both_ends: move both ends of the packet, and read its length after each move */
SEC("xdp") int PROG(both_ends, 60)
{
	if (bpf_xdp_adjust_tail(ctx, -6))
		return XDP_DROP;
	if (bpf_xdp_adjust_head(ctx, 4))
		return XDP_ABORTED;
	PACKET_AGAIN(ctx, 20, XDP_DROP);
	P16(14) = end - data;
	P16(12) = bpf_htons(0x88b5);
	return VERDICT(P8(16));
}

/* ---- tag: insert 4 bytes, an EtherType and a number, after the addresses */
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
