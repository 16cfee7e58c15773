// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * balancer.c - a stateful firewall with a load balancer, in the card.
 *
 * The program handles IPv4 and IPv6, with up to two VLAN tags. A frame that begins a connection
 * passes if "rules" has its port. A later frame passes if "flows" has its connection. A
 * connection to one of "services" goes to a backend. "slots" is a table for consistent hashing
 * of clients, which the loader fills as Maglev does. A frame to a backend leaves through the
 * port where it came in, with the backend's addresses and corrected checksums. "counters"
 * counts all frames, and "events" reports the frames that are dropped.
 *
 * The NFP's JIT does not take some things. The program uses instead: for stores to map values,
 * bpf_map_update_elem(), or atomic adds to values that the program does not read; for a modulo,
 * a power of two; for per-CPU maps and global variables, plain maps.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "balancer.h"

char _license[] SEC("license") = "Dual BSD/GPL";

#define VLAN_HLEN	4
#define TAGS_MAX	2
#define EXTENSIONS_MAX	3
#define FRAG_OFFSET	0x1fff	/* IPv4; 0 in the first fragment */
#define FRAG6_OFFSET	0xfff8

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, struct balancer_rule);
	__type(value, __u32);
} rules SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct balancer_service);
	__type(value, __u32);
} services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BALANCER_GROUPS * BALANCER_SLOTS);
	__type(key, __u32);
	__type(value, __u32);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BALANCER_BACKENDS);
	__type(key, __u32);
	__type(value, struct balancer_backend);
} backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct balancer_flow);
	__type(value, struct balancer_state);
} flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BALANCER_WHYS);
	__type(key, __u32);
	__type(value, struct balancer_count);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 64);
	__type(key, int);
	__type(value, __u32);
} events SEC(".maps");

/* The results of parsing a frame. An address of IPv4 is in the last word. */
struct frame {
	void *data;
	void *end;
	__u32 l3;
	__u32 l4;
	__u32 src[4];
	__u32 dst[4];
	__u16 sport;		/* big endian, like all fields from the packet */
	__u16 dport;
	__u16 type;
	__u16 vlan;		/* the inner tag */
	__u8 proto;
	__u8 tcp_flags;
	bool fragment;		/* a fragment after the first one, which has no ports */
};

#define TCP_SYN		0x02
#define TCP_RST		0x04
#define TCP_ACK		0x10

/* ---- parsing: return false if the frame ends too early ---- */

static __always_inline bool parse_ethernet(struct frame *f)
{
	struct ethhdr *eth = f->data;
	int i;

	f->l3 = sizeof(*eth);
	if ((void *)(eth + 1) > f->end)
		return false;
	f->type = eth->h_proto;
#pragma unroll
	for (i = 0; i < TAGS_MAX; i++) {
		__u16 *tag = f->data + f->l3;

		if (f->type != bpf_htons(ETH_P_8021Q) && f->type != bpf_htons(ETH_P_8021AD))
			break;
		if ((void *)(tag + 2) > f->end)
			return false;
		f->vlan = tag[0] & bpf_htons(0xfff);
		f->type = tag[1];
		f->l3 += VLAN_HLEN;
	}
	return true;
}

static __always_inline bool parse_ipv4(struct frame *f)
{
	struct iphdr *ip = f->data + f->l3;
	__u32 len;

	if ((void *)(ip + 1) > f->end)
		return false;
	len = (*(__u8 *)ip & 15) * 4;
	if (len < sizeof(*ip))
		return false;
	f->proto = ip->protocol;
	f->fragment = ip->frag_off & bpf_htons(FRAG_OFFSET);
	f->src[3] = ip->saddr;
	f->dst[3] = ip->daddr;
	f->l4 = f->l3 + len;
	return true;
}

static __always_inline bool parse_ipv6(struct frame *f)
{
	struct ipv6hdr *ip = f->data + f->l3;
	int i;

	if ((void *)(ip + 1) > f->end)
		return false;
	f->proto = ip->nexthdr;
	__builtin_memcpy(f->src, &ip->saddr, sizeof(f->src));
	__builtin_memcpy(f->dst, &ip->daddr, sizeof(f->dst));
	f->l4 = f->l3 + sizeof(*ip);
#pragma unroll
	for (i = 0; i < EXTENSIONS_MAX; i++) {
		__u8 *ext = f->data + f->l4;

		if (f->proto != IPPROTO_HOPOPTS && f->proto != IPPROTO_DSTOPTS &&
		    f->proto != IPPROTO_FRAGMENT)
			break;
		if (ext + 8 > (__u8 *)f->end)
			return false;
		if (f->proto == IPPROTO_FRAGMENT) {
			f->fragment = *(__u16 *)(ext + 2) & bpf_htons(FRAG6_OFFSET);
			f->l4 += 8;
		} else {
			f->l4 += (ext[1] + 1) * 8;
		}
		f->proto = ext[0];
	}
	return true;
}

static __always_inline bool parse_ports(struct frame *f)
{
	void *l4 = f->data + f->l4;

	if (f->fragment || (f->proto != IPPROTO_TCP && f->proto != IPPROTO_UDP))
		return true;
	if (l4 + sizeof(struct udphdr) > f->end)
		return false;
	f->sport = ((struct udphdr *)l4)->source;
	f->dport = ((struct udphdr *)l4)->dest;
	if (f->proto == IPPROTO_UDP)
		return true;
	if (l4 + sizeof(struct tcphdr) > f->end)
		return false;
	f->tcp_flags = ((__u8 *)l4)[13];
	return true;
}

/* ---- flows ---- */

/* Make the key of a connection. Both directions have the same key: the smaller end is first. */
static __always_inline void flow_key(const struct frame *f, struct balancer_flow *key)
{
	bool swap = f->sport > f->dport;
	int i;

#pragma unroll
	for (i = 3; i >= 0; i--)
		if (f->src[i] != f->dst[i])
			swap = f->src[i] > f->dst[i];
	if (swap) {
		__builtin_memcpy(key->low, f->dst, sizeof(key->low));
		__builtin_memcpy(key->high, f->src, sizeof(key->high));
		key->low_port = f->dport;
		key->high_port = f->sport;
	} else {
		__builtin_memcpy(key->low, f->src, sizeof(key->low));
		__builtin_memcpy(key->high, f->dst, sizeof(key->high));
		key->low_port = f->sport;
		key->high_port = f->dport;
	}
	key->vlan = f->vlan;
	key->proto = f->proto;
}

static __always_inline bool begins(const struct frame *f)
{
	return f->proto != IPPROTO_TCP || (f->tcp_flags & (TCP_SYN | TCP_ACK)) == TCP_SYN;
}

static __always_inline bool allowed(const struct frame *f)
{
	struct balancer_rule rule = { .port = f->dport, .proto = f->proto };

	return bpf_map_lookup_elem(&rules, &rule);
}

/*
 * Add a flow. The card adds to @packets atomically, so the driver requires that the verifier knows
 * the field to be 0 here. The verifier of Linux 6.x does not record a zero that is stored at the
 * start of an aligned double word. Therefore @packets is the second word.
 */
static __always_inline bool flow_add(const struct balancer_flow *key, __u32 backend)
{
	struct balancer_state s __attribute__((aligned(8)));

	s.backend = backend;
	asm volatile("" : "+m"(s.backend));
	s.packets = 0;
	return !bpf_map_update_elem(&flows, key, &s, BPF_NOEXIST);
}

/* ---- balancing ---- */

static __always_inline __u32 hash(const struct frame *f)
{
	__u32 h = f->src[0] ^ f->src[1] ^ f->src[2] ^ f->src[3];

	h ^= (__u32)f->sport << 16 | f->dport;
	h ^= h >> 16;
	h *= 0x85ebca6b;
	h ^= h >> 13;
	h *= 0xc2b2ae35;
	return h ^ h >> 16;
}

/* Fold the sum of words to 16 bits, and complement it. Byte order does not matter (RFC 1071). */
static __always_inline __u16 csum_fold(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static __always_inline void csum_replace(__u16 *csum, __u64 change)
{
	*csum = csum_fold(change + (~*csum & 0xffff));
}

/* Correct the checksum of TCP or UDP after a change of the destination address. */
static __always_inline bool csum_l4(const struct frame *f, __u64 change)
{
	void *l4 = f->data + f->l4;

	if (f->proto == IPPROTO_TCP) {
		if (l4 + sizeof(struct tcphdr) > f->end)
			return false;
		csum_replace(&((struct tcphdr *)l4)->check, change);
	} else {
		if (l4 + sizeof(struct udphdr) > f->end)
			return false;
		if (((struct udphdr *)l4)->check) {
			csum_replace(&((struct udphdr *)l4)->check, change);
			/*
			 * In UDP a checksum of 0 means that there is none. All ones stands for
			 * the sum 0.
			 */
			if (!((struct udphdr *)l4)->check)
				((struct udphdr *)l4)->check = 0xffff;
		}
	}
	return true;
}

static __always_inline bool to_backend(const struct frame *f, const struct balancer_backend *b)
{
	__u16 *to = f->data, *from = f->data + ETH_ALEN;
	const __u16 *mac = (const __u16 *)b->mac;
	__u64 change = 0;
	int i;

	if (f->type == bpf_htons(ETH_P_IP)) {
		struct iphdr *ip = f->data + f->l3;

		if ((void *)(ip + 1) > f->end)
			return false;
		change = (__u64)(__u32)~ip->daddr + b->addr[3];
		ip->daddr = b->addr[3];
		csum_replace(&ip->check, change);
	} else {
		struct ipv6hdr *ip = f->data + f->l3;
		__u32 *addr = (__u32 *)&ip->daddr;

		if ((void *)(ip + 1) > f->end)
			return false;
#pragma unroll
		for (i = 0; i < 4; i++) {
			change += (__u64)(__u32)~addr[i] + b->addr[i];
			addr[i] = b->addr[i];
		}
	}
	if (!csum_l4(f, change) || (void *)(from + 3) > f->end)
		return false;
#pragma unroll
	for (i = 0; i < 3; i++) {
		from[i] = to[i];
		to[i] = mac[i];
	}
	return true;
}

static __always_inline __u32 balance(const struct frame *f, const struct balancer_flow *key,
				     struct balancer_state *s, __u32 group)
{
	struct balancer_backend *b;
	__u32 i, *slot;

	if (s) {
		i = s->backend;
		__sync_fetch_and_add(&s->packets, 1);
	} else {
		if (!begins(f))
			return BALANCER_DROP_STATE;
		i = group * BALANCER_SLOTS + (hash(f) & (BALANCER_SLOTS - 1));
		slot = bpf_map_lookup_elem(&slots, &i);
		if (!slot)
			return BALANCER_DROP_BACKEND;
		i = *slot;
		if (!flow_add(key, i))
			return BALANCER_DROP_FULL;
	}
	b = bpf_map_lookup_elem(&backends, &i);
	if (!b || !to_backend(f, b))
		return BALANCER_DROP_BACKEND;
	return BALANCER_TX;
}

/* ---- verdicts ---- */

static __always_inline bool is_control(const struct frame *f)
{
	return f->proto == IPPROTO_ICMP || f->proto == IPPROTO_ICMPV6;
}

static __always_inline __u32 filter(const struct frame *f, const struct balancer_flow *key)
{
	struct balancer_service service = { .port = f->dport, .proto = f->proto };
	struct balancer_state *s;
	__u32 *group;

	if (is_control(f))
		return BALANCER_PASS_CONTROL;
	if (f->fragment || (f->proto != IPPROTO_TCP && f->proto != IPPROTO_UDP))
		return BALANCER_DROP_PROTOCOL;
	s = bpf_map_lookup_elem(&flows, key);
	__builtin_memcpy(service.addr, f->dst, sizeof(service.addr));
	group = bpf_map_lookup_elem(&services, &service);
	if (group)
		return balance(f, key, s, *group);
	if (s) {
		__sync_fetch_and_add(&s->packets, 1);
		if (f->tcp_flags & TCP_RST)
			bpf_map_delete_elem(&flows, key);
		return BALANCER_PASS_FLOW;
	}
	if (!begins(f))
		return BALANCER_DROP_STATE;
	if (!allowed(f))
		return BALANCER_DROP_RULE;
	if (!flow_add(key, BALANCER_HOST))
		return BALANCER_DROP_FULL;
	return BALANCER_PASS_NEW;
}

static __always_inline __u32 decide(struct frame *f, struct balancer_flow *key)
{
	if (!parse_ethernet(f))
		return BALANCER_DROP_SHORT;
	if (f->type == bpf_htons(ETH_P_ARP))
		return BALANCER_PASS_CONTROL;
	if (f->type == bpf_htons(ETH_P_IP)) {
		if (!parse_ipv4(f))
			return BALANCER_DROP_SHORT;
	} else if (f->type == bpf_htons(ETH_P_IPV6)) {
		if (!parse_ipv6(f))
			return BALANCER_DROP_SHORT;
	} else {
		return BALANCER_DROP_PROTOCOL;
	}
	if (!parse_ports(f))
		return BALANCER_DROP_SHORT;
	flow_key(f, key);
	return filter(f, key);
}

SEC("xdp")
int balancer(struct xdp_md *ctx)
{
	struct frame f = {
		.data = (void *)(long)ctx->data, .end = (void *)(long)ctx->data_end,
	};
	struct balancer_event e = { .len = f.end - f.data };
	struct balancer_count *n;

	e.why = decide(&f, &e.flow);
	n = bpf_map_lookup_elem(&counters, &e.why);
	if (n) {
		__sync_fetch_and_add(&n->packets, 1);
		__sync_fetch_and_add(&n->bytes, e.len);
	}
	if (e.why < BALANCER_TX)
		return XDP_PASS;
	if (e.why == BALANCER_TX)
		return XDP_TX;
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | (__u64)ETH_ZLEN << 32,
			      &e, sizeof(e));
	return XDP_DROP;
}
