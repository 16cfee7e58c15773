// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_event_count.c - an event with a map's value that has atomic counters (KNOWN.rst) */
#include "diff.h"

MAP(counts, ARRAY, 1, __u32, __u64);
EVENTS(events);

static __always_inline __u64 *count(void)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&counts, &key);

	if (v)
		__sync_fetch_and_add(v, 0x100000003);
	return v;
}

SEC("xdp") int known_event_count(struct xdp_md *ctx)
{
	__u64 *v = count();

	if (v)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, v, 8);
	return XDP_DROP;
}

SEC("card") int in_card(struct xdp_md *ctx)
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
