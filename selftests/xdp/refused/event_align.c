// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_align.c - an event whose data are not aligned to 4 */
#include "../programs/diff.h"

EVENTS(events);

SEC("xdp") int event_align(struct xdp_md *ctx)
{
	__u8 x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, x + 1, 4);	/* refused: key-align */
	return XDP_PASS;
}
