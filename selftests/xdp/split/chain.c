// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chain.c - programs for a split: what each frame goes through is said in its byte 40, and
 * what becomes of it on the host in byte 41; each program leaves a mark behind those.
 */
#include "../programs/diff.h"

#define ORDER	40
#define FATE	41
#define MARK	42	/* of front; those of mid, second, third are behind it */

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
	case 5:			/* what is inside of it */
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

/* Not for a card: a map with a value for each CPU */
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

/* What comes here is to go no further. */
SEC("xdp") int third(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	P8(MARK + 3) = 1;
	return XDP_DROP;
}
