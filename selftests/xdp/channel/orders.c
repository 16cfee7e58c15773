// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * orders.c - channels in both directions. For each frame of the test the program receives an order,
 * if there is one, and reports it as often as the frame says. Frames of the test are dropped, and
 * others pass. Runs on cards with and without channel firmware.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <nfpchan_bpf.h>
#include "orders.h"

char _license[] SEC("license") = "Dual BSD/GPL";

NFPCHAN_TO_HOST(told, struct told);
NFPCHAN_TO_PROG(orders, struct order, 16);

SEC("xdp")
int take_orders(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct told t = {};
	__u32 i, more;

	if (data + sizeof(*eth) + 8 > end || eth->h_proto != bpf_htons(0x88b5))
		return XDP_PASS;
	/* The number follows two bytes, so it is aligned. */
	t.frame = *(__u32 *)(data + sizeof(*eth) + 2);
	t.taken = !NFPCHAN_RECV(orders, &t.order);
	more = *(__u16 *)(data + sizeof(*eth) + 6);
	for (i = 0; i < TOLD_MAX && i <= more; i++)
		NFPCHAN_SEND(ctx, told, &t);
	return XDP_DROP;
}
