// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_value.c - events of a map's value. */
#include "diff.h"

MAP(in_values, HASH, 6, __u32, __u64[2]);
EVENTS(events);

SEC("xdp") int event_value(struct xdp_md *ctx)
{
	__u32 k;
	__u64 *v;

	PACKET(ctx, 60);
	k = P8(14) & 7;
	v = bpf_map_lookup_elem(&in_values, &k);
	if (!v)
		return XDP_DROP;
	P64(30) = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 14ull << 32, v, 16);
	return XDP_PASS;
}
