// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * images.c - send encrypted images, which come in UDP datagrams to port 4711, as events of the
 * map "images": a tag, then the whole frame. These frames are dropped. All other frames pass.
 *
 * In userspace/examples/graph/images.graph an ME process receives the events.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

#define PORT	4711
#define SEALED	(12 + 64 + 16)	/* nonce, image, tag */

struct frame {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	__u8 sealed[SEALED];
} __attribute__((packed));

struct tag {
	__u32 kind;	/* always 1 */
	__u32 zero;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} images SEC(".maps");

SEC("xdp")
int to_graph(struct xdp_md *ctx)
{
	struct frame *f = (void *)(long)ctx->data;
	struct tag tag = { .kind = 1 };

	if ((void *)(f + 1) > (void *)(long)ctx->data_end ||
	    f->eth.h_proto != bpf_htons(ETH_P_IP) || f->ip.ihl != 5 ||
	    f->ip.protocol != IPPROTO_UDP || f->udp.dest != bpf_htons(PORT) ||
	    f->udp.len != bpf_htons(sizeof(f->udp) + SEALED))
		return XDP_PASS;
	bpf_perf_event_output(ctx, &images, BPF_F_CURRENT_CPU | (__u64)sizeof(*f) << 32, &tag,
			      sizeof(tag));
	return XDP_DROP;
}
