// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* udp.c - count IPv4 packets, and drop those of UDP. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} packets SEC(".maps");		/* 0: passed, 1: dropped */

SEC("xdp")
int udp(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct iphdr *ip = (void *)(eth + 1);
	__u64 *count;
	__u32 drop;

	if ((void *)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP))
		return XDP_PASS;
	drop = ip->protocol == IPPROTO_UDP;
	count = bpf_map_lookup_elem(&packets, &drop);
	if (count)
		__sync_fetch_and_add(count, 1);
	return drop ? XDP_DROP : XDP_PASS;
}

char _license[] SEC("license") = "Dual BSD/GPL";
