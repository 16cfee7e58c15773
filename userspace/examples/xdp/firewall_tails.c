// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * firewall_tails.c - a firewall of four programs that are joined by tail calls.
 *
 * "parse" drops incomplete frames. "block" drops frames from an address in "blocked". "admit"
 * drops frames that begin a connection to a service that is not in "services", and gives those
 * to other services to "limit". "limit" allows each source a number of connections per second.
 * It needs a clock and per-CPU maps, which no card has:
 *
 *	nfpchan xdp run --split --dev eth0 firewall_tails.o
 *
 * puts the first three programs on the card and the last one on the host, so that the host
 * sees only frames that the card lets in. On a NIC without offload all four run on the host:
 *
 *	xdp-loader load --prog-name parse eth0 firewall_tails.o
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <stdbool.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "firewall_tails.h"

char _license[] SEC("license") = "Dual BSD/GPL";

#define TAGS_MAX	2
#define FRAG_OFFSET	0x1fff
#define TCP_SYN		0x02
#define TCP_ACK		0x10
#define NSEC_PER_SEC	1000000000ull
#define IDLE_NSEC	(1000 * NSEC_PER_SEC)	/* cap: rate * time fits 64 bits */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct firewall_addr);
	__type(value, __u64);
} blocked SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, struct firewall_service);
	__type(value, __u32);
} services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_PERCPU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct firewall_addr);
	__type(value, struct firewall_bucket);
} buckets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FIREWALL_LIMITS);
	__type(key, __u32);
	__type(value, __u64);
} limits SEC(".maps");

enum { SLOT_BLOCK, SLOT_ADMIT, SLOT_LIMIT, SLOTS };

int block(struct xdp_md *ctx);
int admit(struct xdp_md *ctx);
int limit(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, SLOTS);
	__uint(key_size, sizeof(__u32));
	__array(values, int (struct xdp_md *ctx));
} tails SEC(".maps") = {
	.values = {
		[SLOT_BLOCK] = (void *)&block,
		[SLOT_ADMIT] = (void *)&admit,
		[SLOT_LIMIT] = (void *)&limit,
	},
};

/* The results of parsing a frame. The header after IP is at @l4. */
struct frame {
	void *data;
	void *end;
	__u32 l4;
	__u16 type;
	__u8 proto;
	bool fragment;		/* a fragment after the first one, which has no ports */
	struct firewall_addr src;
};

/* Parse a frame, at the start of each program. Returns false if the frame ends too early. */
static __always_inline bool parse_frame(struct xdp_md *ctx, struct frame *f)
{
	struct ethhdr *eth = (void *)(long)ctx->data;
	int i;

	f->data = (void *)(long)ctx->data;
	f->end = (void *)(long)ctx->data_end;
	f->l4 = sizeof(*eth);
	if ((void *)(eth + 1) > f->end)
		return false;
	f->type = eth->h_proto;
#pragma unroll
	for (i = 0; i < TAGS_MAX; i++) {
		__u16 *tag = f->data + f->l4;

		if (f->type != bpf_htons(ETH_P_8021Q) && f->type != bpf_htons(ETH_P_8021AD))
			break;
		if ((void *)(tag + 2) > f->end)
			return false;
		f->type = tag[1];
		f->l4 += 4;
	}
	if (f->type == bpf_htons(ETH_P_IP)) {
		struct iphdr *ip = f->data + f->l4;

		if ((void *)(ip + 1) > f->end || (*(__u8 *)ip & 15) < 5)
			return false;
		f->proto = ip->protocol;
		f->fragment = ip->frag_off & bpf_htons(FRAG_OFFSET);
		f->src.word[3] = ip->saddr;
		f->l4 += (*(__u8 *)ip & 15) * 4;
	} else if (f->type == bpf_htons(ETH_P_IPV6)) {
		struct ipv6hdr *ip = f->data + f->l4;

		if ((void *)(ip + 1) > f->end)
			return false;
		f->proto = ip->nexthdr;
		__builtin_memcpy(&f->src, &ip->saddr, sizeof(f->src));
		f->l4 += sizeof(*ip);
	}
	return true;
}

SEC("xdp")
int parse(struct xdp_md *ctx)
{
	struct frame f = { 0 };

	if (!parse_frame(ctx, &f))
		return XDP_DROP;
	if (f.type != bpf_htons(ETH_P_IP) && f.type != bpf_htons(ETH_P_IPV6))
		return XDP_PASS;
	bpf_tail_call(ctx, &tails, SLOT_BLOCK);
	return XDP_DROP;
}

SEC("xdp")
int block(struct xdp_md *ctx)
{
	struct frame f = { 0 };
	__u64 *frames;

	if (!parse_frame(ctx, &f))
		return XDP_DROP;
	frames = bpf_map_lookup_elem(&blocked, &f.src);
	if (frames) {
		__sync_fetch_and_add(frames, 1);
		return XDP_DROP;
	}
	bpf_tail_call(ctx, &tails, SLOT_ADMIT);
	return XDP_DROP;
}

SEC("xdp")
int admit(struct xdp_md *ctx)
{
	struct firewall_service service = { 0 };
	struct frame f = { 0 };
	void *l4;

	if (!parse_frame(ctx, &f))
		return XDP_DROP;
	if (f.fragment || (f.proto != IPPROTO_TCP && f.proto != IPPROTO_UDP))
		return XDP_PASS;
	l4 = f.data + f.l4;
	if (l4 + sizeof(struct udphdr) > f.end)
		return XDP_DROP;
	service.port = ((struct udphdr *)l4)->dest;
	service.proto = f.proto;
	if (f.proto == IPPROTO_TCP) {
		if (l4 + sizeof(struct tcphdr) > f.end)
			return XDP_DROP;
		if ((((__u8 *)l4)[13] & (TCP_SYN | TCP_ACK)) != TCP_SYN)
			return XDP_PASS;
	}
	if (!bpf_map_lookup_elem(&services, &service))
		return XDP_DROP;
	bpf_tail_call(ctx, &tails, SLOT_LIMIT);
	return XDP_DROP;
}

static __always_inline __u64 setting(__u32 key, __u64 otherwise)
{
	__u64 *value = bpf_map_lookup_elem(&limits, &key);

	return value && *value ? *value : otherwise;
}

SEC("xdp")
int limit(struct xdp_md *ctx)
{
	__u64 rate = setting(FIREWALL_RATE, FIREWALL_RATE_DEFAULT);
	__u64 burst = setting(FIREWALL_BURST, rate), now = bpf_ktime_get_ns(), new;
	struct firewall_bucket full = { .refilled_ns = now, .tokens = burst };
	struct firewall_bucket *b;
	struct frame f = { 0 };

	if (!parse_frame(ctx, &f))
		return XDP_DROP;
	b = bpf_map_lookup_elem(&buckets, &f.src);
	if (!b) {
		full.tokens--;
		return bpf_map_update_elem(&buckets, &f.src, &full, BPF_ANY) ? XDP_DROP : XDP_PASS;
	}
	new = now - b->refilled_ns;
	new = (new < IDLE_NSEC ? new : IDLE_NSEC) * rate / NSEC_PER_SEC;
	if (new) {
		b->refilled_ns = now;
		b->tokens = b->tokens + new > burst ? burst : b->tokens + new;
	}
	if (!b->tokens)
		return XDP_DROP;
	b->tokens--;
	return XDP_PASS;
}
