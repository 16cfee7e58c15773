// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event.c - events and counters behind a tail call; also used by the tests of nfpchan xdp replace */
#include "tails.h"

int first(struct xdp_md *ctx);
int second(struct xdp_md *ctx);
JUMPS(jumps, 2, [0] = first);
EVENTS(events);
MAP(counts, ARRAY, 4, __u32, __u64);

static __always_inline int tell(struct xdp_md *ctx, __u32 n)
{
	__u64 *count = bpf_map_lookup_elem(&counts, &n);

	if (count)
		__sync_fetch_and_add(count, 1);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &n, sizeof(n));
	return XDP_DROP;
}

PROGRAM(second, 60)
{
	return tell(ctx, 2);
}

PROGRAM(first, 60)
{
	return tell(ctx, 1);
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, 0);
	return tell(ctx, 0);
}
