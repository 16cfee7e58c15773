// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* macs.c - swaps addresses, as whoever answers a packet does. */
#include "diff.h"

SEC("xdp") int macs(struct xdp_md *ctx)
{
	struct ethhdr *eth;
	__u8 mac[6];

	PACKET(ctx, 14);
	eth = data;
	__builtin_memcpy(mac, eth->h_dest, 6);
	__builtin_memcpy(eth->h_dest, eth->h_source, 6);
	__builtin_memcpy(eth->h_source, mac, 6);
	return XDP_TX;
}
