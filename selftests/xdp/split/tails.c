// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tails.c - programs for a split. Byte 40 of a frame selects its way through the programs, and
 * byte 41 the verdict of the host's program. Each program sets a mark in the bytes after these.
 */
#include "../programs/diff.h"

#define ORDER	40
#define FATE	41
#define MARK	42	/* mark of front, followed by those of mid, second, third */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} visits SEC(".maps");

MAP(fronts, ARRAY, 1, __u32, __u64);

int mid(struct xdp_md *ctx);
int second(struct xdp_md *ctx);
int third(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__array(values, int (struct xdp_md *ctx));
} progs SEC(".maps") = {
	.values = { [1] = (void *)&mid, [2] = (void *)&second, [3] = (void *)&third },
};

SEC("xdp") int front(struct xdp_md *ctx)
{
	__u32 zero = 0;
	__u64 *n;

	PACKET(ctx, 60);
	P8(MARK) = 1;
	n = bpf_map_lookup_elem(&fronts, &zero);
	if (n)
		__sync_fetch_and_add(n, 1);
	switch (P8(ORDER)) {
	case 0:
		return XDP_PASS;
	case 1:
		return XDP_DROP;
	case 2:
		return XDP_TX;
	case 3:
		bpf_tail_call(ctx, &progs, 2);
		break;
	case 4:
		bpf_tail_call(ctx, &progs, 1);
		break;
	case 5:			/* remove the outer header */
		return bpf_xdp_adjust_head(ctx, 14) ? XDP_DROP : XDP_PASS;
	}
	return XDP_DROP;
}

SEC("xdp") int mid(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	P8(MARK + 1) = 1;
	bpf_tail_call(ctx, &progs, 2);
	return XDP_PASS;
}

/* The card cannot run this: it uses a per-CPU map. */
SEC("xdp") int second(struct xdp_md *ctx)
{
	__u32 zero = 0;
	__u64 *n = bpf_map_lookup_elem(&visits, &zero);

	PACKET(ctx, 60);
	if (n)
		++*n;
	P8(MARK + 2) = 1;
	switch (P8(FATE)) {
	case 0:
		return XDP_PASS;
	case 1:
		return XDP_DROP;
	case 2:
		return XDP_TX;
	}
	bpf_tail_call(ctx, &progs, 3);
	return XDP_PASS;
}

/* Each frame that gets here must be dropped. */
SEC("xdp") int third(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	P8(MARK + 3) = 1;
	return XDP_DROP;
}
