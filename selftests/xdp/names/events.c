// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* events.c - emit an event on each of two maps */
#include "names.h"

EVENTS(packet_event_of_new);
EVENTS(packet_event_of_old);

SEC("xdp") int both(struct xdp_md *ctx)
{
	__u32 new = 0x11111111, old = 0x22222222;

	bpf_perf_event_output(ctx, &packet_event_of_new, BPF_F_CURRENT_CPU, &new, sizeof(new));
	bpf_perf_event_output(ctx, &packet_event_of_old, BPF_F_CURRENT_CPU, &old, sizeof(old));
	return XDP_PASS;
}
