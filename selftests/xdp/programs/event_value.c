// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_value.c - events of a map's value. */
#include "diff.h"

struct value {
	__u64 v[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 6);
	__type(key, __u32);
	__type(value, struct value);
} in_values SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 2);
	__type(key, int);
	__type(value, __u32);
} events SEC(".maps");

SEC("xdp")
int event_value(struct xdp_md *ctx)
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
