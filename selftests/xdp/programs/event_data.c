// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_data.c - events with bytes from the program, and none of the packet. */
#include "diff.h"

EVENTS(events);

SEC("xdp") int PROG(event_data, 60)
{
	__u64 d[9] = {};

#pragma unroll
	for (int i = 0; i < 9; i++)
		d[i] = P32(14 + i);
	P64(30) = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, d, 68);
	return VERDICT(P8(14));
}
