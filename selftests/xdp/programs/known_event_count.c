// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_event_count.c - an event of a map's value that has counters. In the card they are
 * big-endian words; the driver swaps them in what it looks up (cmsg.c,
 * nfp_map_bpf_byte_swap()), but not in events.
 */
#include "diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 2);
	__type(key, int);
	__type(value, __u32);
} events SEC(".maps");

static __always_inline __u64 *count(void)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&counts, &key);

	if (v)
		__sync_fetch_and_add(v, 0x100000003);
	return v;
}

SEC("xdp")
int known_event_count(struct xdp_md *ctx)
{
	__u64 *v = count();

	if (v)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, v, 8);
	return XDP_DROP;
}

SEC("card")
int in_card(struct xdp_md *ctx)
{
	__u64 *v = count();
	__u32 swapped[2];

	if (v) {
		swapped[0] = bpf_htonl(*v);
		swapped[1] = bpf_htonl(*v >> 32);
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, swapped, 8);
	}
	return XDP_DROP;
}
