// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * orders.c - channels in both directions. For each frame of the test the program receives an order,
 * if there is one, or all orders, as the frame says. It reports an order as often as the frame says.
 * Frames of the test are dropped, and others pass. Runs on cards with and without channel firmware;
 * with -DNFPCHAN_NO_DELETE also on cards whose firmware has no map_update and no map_delete.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <nfpchan_bpf.h>
#include "orders.h"

char _license[] SEC("license") = "Dual BSD/GPL";

NFPCHAN_TO_HOST(told, struct told);
NFPCHAN_TO_PROG(orders, struct order, ORDERS);

SEC("xdp")
int take_orders(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct told t = {};
	__u32 i, more, most, nr;

	if (data + sizeof(*eth) + 10 > end || eth->h_proto != bpf_htons(0x88b5))
		return XDP_PASS;
	/* The number follows two bytes, so it is aligned. */
	t.frame = *(__u32 *)(data + sizeof(*eth) + 2);
	more = *(__u16 *)(data + sizeof(*eth) + 6);
	most = *(__u16 *)(data + sizeof(*eth) + 8);
	nr = NFPCHAN_NEXT(orders);
	t.taken = !NFPCHAN_RECV_NR(orders, nr, &t.order);
	t.nr = nr;
	for (i = 0; i < TOLD_MAX && i <= more; i++)
		NFPCHAN_SEND(ctx, told, &t);
	for (i = 0; i < ORDERS && i < most && t.taken; i++) {
		t.taken = !NFPCHAN_RECV_NR(orders, ++nr, &t.order);
		t.nr = nr;
		if (t.taken)
			NFPCHAN_SEND(ctx, told, &t);
	}
	return XDP_DROP;
}
