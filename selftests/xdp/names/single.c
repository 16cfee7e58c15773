// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* single.c - one counter and one event map */
#include "names.h"

COUNTER(hits);
EVENTS(seen);

SEC("xdp") int first(struct xdp_md *ctx)
{
	__u32 one = 1;

	add(&hits, 1);
	bpf_perf_event_output(ctx, &seen, BPF_F_CURRENT_CPU, &one, sizeof(one));
	return XDP_PASS;
}
