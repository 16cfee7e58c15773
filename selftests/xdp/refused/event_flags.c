// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_flags.c - an event for a fixed CPU */
#include "../programs/diff.h"

EVENTS(events);

SEC("xdp") int event_flags(struct xdp_md *ctx)
{
	__u64 x = ctx->data_end - ctx->data;

	bpf_perf_event_output(ctx, &events, 0, &x, sizeof(x));	/* refused: event-flags */
	return XDP_PASS;
}
