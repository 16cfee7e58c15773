// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * syn_digest.c - send 32 bytes to the host for each TCP connection request (SYN), or for a
 * sample of them.
 *
 * All frames pass. The program reads IPv4, and IPv6 without extension headers, with up to two
 * VLAN tags. If "sample" holds 2^n - 1, it sends one of 2^n requests. The value may be changed
 * while the program runs.
 *
 *	nfpchan xdp run --dev eth0 syn_digest.o | syn_digest.py
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <nfpchan_bpf.h>

#include "syn_digest.h"

char _license[] SEC("license") = "Dual BSD/GPL";

#define VLAN_VID	0xfff
#define FRAG_OFFSET	0x1fff
#define TCP_SYN		0x02
#define TCP_ACK		0x10

_Static_assert(sizeof(struct syn_digest) == 32, "a digest");

NFPCHAN_TO_HOST(events, struct syn_digest);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} sample SEC(".maps");

struct tag {
	__be16 tci;
	__be16 type;
};

/* Return the network header, or NULL if the frame ends before it. */
static __always_inline void *skip_ethernet(void *data, void *end, struct syn_digest *d,
					   __be16 *type)
{
	struct ethhdr *eth = data;
	void *at = eth + 1;
	int i;

	if (at > end)
		return NULL;
	*type = eth->h_proto;
#pragma unroll
	for (i = 0; i < 2; i++) {
		struct tag *tag = at;

		if (*type != bpf_htons(ETH_P_8021Q) && *type != bpf_htons(ETH_P_8021AD))
			break;
		if ((void *)(tag + 1) > end)
			return NULL;
		if (!i)
			d->vlan = tag->tci & bpf_htons(VLAN_VID);
		*type = tag->type;
		at = tag + 1;
	}
	return at;
}

/* Return the TCP header, or NULL if there is none, as in all fragments except the first one. */
static __always_inline void *skip_ipv4(struct iphdr *ip, void *end, struct syn_digest *d)
{
	__u32 len;

	if ((void *)(ip + 1) > end || ip->protocol != IPPROTO_TCP ||
	    ip->frag_off & bpf_htons(FRAG_OFFSET))
		return NULL;
	len = ip->ihl * 4;
	if (len < sizeof(*ip))
		return NULL;
	d->src.s6_addr32[2] = bpf_htonl(0xffff);
	d->src.s6_addr32[3] = ip->saddr;
	d->dst = ip->daddr;
	d->hops = ip->ttl;
	return (void *)ip + len;
}

static __always_inline void *skip_ipv6(struct ipv6hdr *ip, void *end, struct syn_digest *d)
{
	if ((void *)(ip + 1) > end || ip->nexthdr != IPPROTO_TCP)
		return NULL;
	d->src = ip->saddr;
	d->dst = ip->daddr.s6_addr32[3];
	d->hops = ip->hop_limit;
	return ip + 1;
}

/* Return true if the sample includes this request. */
static __always_inline int sampled(void)
{
	__u32 zero = 0, *mask = bpf_map_lookup_elem(&sample, &zero);

	return !mask || !*mask || !(bpf_get_prandom_u32() & *mask);
}

SEC("xdp")
int syn_digest(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct syn_digest d = {};
	struct tcphdr *tcp = NULL;
	__be16 type;
	void *ip;

	ip = skip_ethernet(data, end, &d, &type);
	if (!ip)
		return XDP_PASS;
	if (type == bpf_htons(ETH_P_IP))
		tcp = skip_ipv4(ip, end, &d);
	else if (type == bpf_htons(ETH_P_IPV6))
		tcp = skip_ipv6(ip, end, &d);
	if (!tcp || (void *)(tcp + 1) > end)
		return XDP_PASS;
	d.flags = ((__u8 *)tcp)[13];
	if ((d.flags & (TCP_SYN | TCP_ACK)) != TCP_SYN || !sampled())
		return XDP_PASS;
	d.sport = tcp->source;
	d.dport = tcp->dest;
	d.window = tcp->window;
	d.len = bpf_htons(end - data);
	NFPCHAN_SEND(ctx, events, &d);
	return XDP_PASS;
}
