// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_packet.c - events with bytes of the packet; their number is in the packet, or too large. */
#include "diff.h"

EVENTS(events);

SEC("xdp") int PROG(event_packet, 60)
{
	__u32 len = P16(14) & 127, d = end - data;

	P64(30) = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | (__u64)len << 32,
					&d, sizeof(d));
	return VERDICT(P8(14));
}
