// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * hook.c - send an event for each packet. The packet gives the map (byte 14), the number of
 * bytes from the program (byte 16), and the number of bytes of the packet (18, 19).
 */
#include "diff.h"

EVENTS(events);
EVENTS(more);

SEC("xdp") int PROG(hook, 60)
{
	__u64 own[16], flags;
	__u32 len;

#pragma unroll
	for (int i = 0; i < 16; i++)
		own[i] = P64(20 + i % 5 * 8) + i;
	len = P8(16) & 127;
	flags = BPF_F_CURRENT_CPU | (__u64)P16(18) << 32;
	if (P8(14) & 1)
		bpf_perf_event_output(ctx, &more, flags, own, len);
	else
		bpf_perf_event_output(ctx, &events, flags, own, len);
	return XDP_DROP;
}
