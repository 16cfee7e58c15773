// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event.c - events */
#include "../programs/diff.h"

/* ---- event_align: an event whose data are not aligned to 4 */
EVENTS(events);

SEC("xdp") int event_align(struct xdp_md *ctx)
{
	__u8 x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, x + 1, 4);	/* refused: key-align */
	return XDP_PASS;
}

/* ---- event_changes: one call with data from the stack on one path, from a map on another */
EVENTS(events);
MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int event_changes(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 x = 5, *v = bpf_map_lookup_elem(&m, &key);
	void *p = &x;

	asm volatile("" : : "r"(p) : "memory");
	if (v)
		p = v;
	asm volatile("" : "+r"(p));
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, p, 8);	/* refused: event-changes */
	return XDP_PASS;
}

/* ---- event_flags: an event for a fixed CPU */
EVENTS(events);

SEC("xdp") int event_flags(struct xdp_md *ctx)
{
	__u64 x = ctx->data_end - ctx->data;

	bpf_perf_event_output(ctx, &events, 0, &x, sizeof(x));	/* refused: event-flags */
	return XDP_PASS;
}
