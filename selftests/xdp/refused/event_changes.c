// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_changes.c - one call with data from the stack on one path, from a map on another */
#include "../programs/diff.h"

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
