// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event.c - sends the head of each packet, and a digest, to a perf ring. */
#include "diff.h"

EVENTS(events);

SEC("xdp") int event(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 digest[2] = { end - data, 0x12345678 };

	if (data + 14 > end)
		return XDP_DROP;
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 14ull << 32,
			      digest, sizeof(digest));
	return XDP_PASS;
}
