// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* macs.c - swap the MAC addresses, as for a reply. */
#include "diff.h"

SEC("xdp") int PROG(macs, 14)
{
	struct ethhdr *eth = data;
	__u8 mac[6];

	__builtin_memcpy(mac, eth->h_dest, 6);
	__builtin_memcpy(eth->h_dest, eth->h_source, 6);
	__builtin_memcpy(eth->h_source, mac, 6);
	return XDP_TX;
}
