// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* drop.c - drop all frames except IPv4 and ARP. */
#define NO_LICENSE
#include "diff.h"

SEC("xdp") int PROG(drop, ETH_HLEN)
{
	struct ethhdr *eth = data;

	if (eth->h_proto == bpf_htons(ETH_P_IP) || eth->h_proto == bpf_htons(ETH_P_ARP))
		return XDP_PASS;
	return XDP_DROP;
}
