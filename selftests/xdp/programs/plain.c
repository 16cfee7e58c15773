// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* plain.c - programs without a license */
#define NO_LICENSE
#include "diff.h"

/* ---- pass: the smallest program */
SEC("xdp") int pass(struct xdp_md *ctx) { return XDP_PASS; }

/* ---- drop: drop all frames except IPv4 and ARP */
SEC("xdp") int PROG(drop, ETH_HLEN)
{
	struct ethhdr *eth = data;

	if (eth->h_proto == bpf_htons(ETH_P_IP) || eth->h_proto == bpf_htons(ETH_P_ARP))
		return XDP_PASS;
	return XDP_DROP;
}

/* ---- move: move both ends of a packet, select a random queue, send the packet back */
SEC("xdp") int move(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_head(ctx, -4) || bpf_xdp_adjust_tail(ctx, -2))
		return XDP_ABORTED;
	ctx->rx_queue_index = bpf_get_prandom_u32() & 1;
	return XDP_TX;
}

/* ---- too_long: more instructions than the card has room for, for each port */
SEC("xdp") int too_long(struct xdp_md *ctx)
{
	__u64 x = bpf_get_prandom_u32();

#pragma unroll
	for (int i = 1; i < 600; i++)
		x = (x << 7 | x >> 57) ^ (x + i * 0x12345679ull);
	return x & 1 ? XDP_PASS : XDP_DROP;
}

/* ---- bad_helper: call a helper that no card has. The program must not load. */
SEC("xdp") int bad_helper(struct xdp_md *ctx)
{
	return bpf_ktime_get_ns() & 1 ? XDP_PASS : XDP_DROP;
}
