// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ---- count: counts packets and bytes in an array
 * Keeps the length of the last packet of each IPv4 source in a hash map, and forgets sources that
 * send TTL 1.
 */
#define NO_LICENSE
#include <linux/ip.h>
#include "diff.h"

struct sum {
	__u64 packets;
	__u64 bytes;
};

MAP(sources, HASH, 64, __u32, __u32);
MAP(all, ARRAY, 2, __u32, struct sum);

SEC("xdp") int count(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct iphdr *ip = data + sizeof(*eth);
	__u32 key = 0, len = end - data;
	struct sum *s;

	s = bpf_map_lookup_elem(&all, &key);
	if (s) {
		__sync_fetch_and_add(&s->packets, 1);
		__sync_fetch_and_add(&s->bytes, len);
	}
	if ((void *)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP))
		return XDP_PASS;
	key = ip->saddr;
	if (ip->ttl == 1)
		bpf_map_delete_elem(&sources, &key);
	else
		bpf_map_update_elem(&sources, &key, &len, BPF_ANY);
	return XDP_PASS;
}
