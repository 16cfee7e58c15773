// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * hand.c - the device program of selftests/ncl/hand/hand.c, written by hand instead of by nclc.
 * ncl_diff must find no difference between this program and the model of that file.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "ncl_abi.h"
#include "ncp.h"

#define SIZE	10
#define HASH	0x1a2b
#define S1	3

struct window {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	struct ncp_hdr ncp;
	__u32 v[2];
	__u16 what;
} __attribute__((packed));

struct row {
	__u32 sum[2];
};

#define MAP(name, n, value_type) \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, n); \
		__type(key, __u32); \
		__type(value, value_type); \
	} name SEC(".maps")

MAP(ncl_place, 1, struct ncl_address);
MAP(ncl_nodes, 5, struct ncl_address);
MAP(ncl_counts, NCL_COUNTS, __u64);
MAP(sum, 4, struct row);
MAP(seen, 1, __u64);
MAP(step, 1, __u32);

static __always_inline int count(__u32 what, int verdict)
{
	__u64 *n = bpf_map_lookup_elem(&ncl_counts, &what);

	if (n)
		__sync_fetch_and_add(n, 1);
	return verdict;
}

static __always_inline void checksums(struct window *w)
{
	__u16 *half = (void *)&w->ip;
	__u32 sum = 0;
	int i;

	w->ip.check = 0;
	for (i = 0; i < 10; i++)
		sum += half[i];
	sum = (sum & 0xffff) + (sum >> 16);
	w->ip.check = ~(sum + (sum >> 16));
	w->udp.check = 0;
}

static __always_inline int send(struct window *w, const struct ncl_address *own, __u32 ip,
				__u16 port, const __u8 *mac)
{
	__builtin_memcpy(w->eth.h_source, w->eth.h_dest, ETH_ALEN);
	__builtin_memcpy(w->eth.h_dest, mac, ETH_ALEN);
	w->ip.saddr = own->ip;
	w->ip.daddr = ip;
	w->udp.source = own->port;
	w->udp.dest = port;
	checksums(w);
	return XDP_TX;
}

static __always_inline int pass(struct window *w, const struct ncl_address *own, int ran)
{
	struct ncl_address *next;
	__u32 to = w->ncp.to;

	next = bpf_map_lookup_elem(&ncl_nodes, &to);
	if (!to || (next && next->flags & NCL_LOCAL)) {
		if (ran)
			w->udp.check = 0;
		return count(NCL_PASSED, XDP_PASS);
	}
	if (!next || !next->ip)
		return count(NCL_NOWHERE, XDP_DROP);
	return count(NCL_PASSED, send(w, own, next->ip, next->port, next->mac));
}

static __always_inline int act(struct window *w, const struct ncl_address *own)
{
	__u32 ip = w->ip.saddr;
	__u16 port = w->udp.source;
	__u8 mac[ETH_ALEN];

	switch (w->what) {
	case 1:
		return count(NCL_DROPPED, XDP_DROP);
	case 2:
		__builtin_memcpy(mac, w->eth.h_source, ETH_ALEN);
		__builtin_memcpy(w->eth.h_source, w->eth.h_dest, ETH_ALEN);
		__builtin_memcpy(w->eth.h_dest, mac, ETH_ALEN);
		w->ip.saddr = w->ip.daddr;
		w->ip.daddr = ip;
		w->udp.source = w->udp.dest;
		w->udp.dest = port;
		w->ncp.to = w->ncp.from;
		w->ncp.flags |= NCP_REPLY;
		checksums(w);
		return count(NCL_REFLECTED, XDP_TX);
	case 3:
		w->ncp.flags |= NCP_REPLY;
		w->ncp.origin = S1;
		return count(NCL_BROADCAST,
			     send(w, own, own->group, own->port, own->group_mac));
	case 4:
		w->ncp.to = 1;
	}
	return pass(w, own, 1);
}

static __always_inline int add(struct window *w)
{
	__u32 zero = 0, seq = w->ncp.seq;
	struct row *r = bpf_map_lookup_elem(&sum, &seq), now;
	__u32 *k = bpf_map_lookup_elem(&step, &zero);
	__u64 *n = bpf_map_lookup_elem(&seen, &zero);
	int i;

	if (!r || !k || !n)
		return 0;
	now = *r;
	for (i = 0; i < 2; i++) {
		now.sum[i] += w->v[i] * *k;
		w->v[i] = now.sum[i];
	}
	bpf_map_update_elem(&sum, &seq, &now, BPF_ANY);
	__sync_fetch_and_add(n, 1);
	return 1;
}

SEC("xdp")
int device(struct xdp_md *ctx)
{
	void *end = (void *)(long)ctx->data_end;
	struct window *w = (void *)(long)ctx->data;
	struct ncl_address *own;
	__u32 zero = 0;

	own = bpf_map_lookup_elem(&ncl_place, &zero);
	if (!own || (void *)&w->v > end)
		return XDP_PASS;
	if (w->eth.h_proto != bpf_htons(ETH_P_IP) || *(__u8 *)&w->ip != 0x45 ||
	    w->ip.frag_off & bpf_htons(0x3fff) || w->ip.protocol != IPPROTO_UDP ||
	    w->ip.daddr != own->ip || w->udp.dest != own->port || w->ncp.magic != NCP_MAGIC)
		return XDP_PASS;
	if (w->ncp.version != NCP_VERSION || w->ncp.program != HASH ||
	    bpf_ntohs(w->udp.len) != 8 + sizeof(struct ncp_hdr) + w->ncp.size)
		return count(NCL_MALFORMED, XDP_DROP);
	if (w->ncp.flags & (NCP_REPLY | NCP_ACK))
		return pass(w, own, 0);
	if (w->ncp.kernel != 1 || w->ncp.size != SIZE || w->ncp.len != 2 ||
	    (void *)(w + 1) > end)
		return count(NCL_MALFORMED, XDP_DROP);
	if (!add(w))
		return XDP_ABORTED;
	count(NCL_WINDOWS, 0);
	return act(w, own);
}

char _license[] SEC("license") = "GPL";
