// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* say.c - events of programs and of functions */
#include "tails.h"

int tell(struct xdp_md *ctx);
int once(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = tell, [2] = once);
EVENTS(events);

static __noinline int say(struct xdp_md *ctx, __u32 n)
{
	__u32 what[2] = { n, 0x12345678 };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 20ull << 32, what, sizeof(what));
	bpf_tail_call(ctx, &jumps, n & 3);
	return n & 1;
}

PROGRAM(once, 60)
{
	__u64 what = P64(16);

	TRACE(2);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &what, sizeof(what));
	return XDP_TX;
}

PROGRAM(tell, 60)
{
	TRACE(3);
	return say(ctx, P8(17) | 2) ? XDP_PASS : XDP_DROP;
}

PROGRAM(entry, 60)
{
	TRACE(1);
	if (P8(18) & 1) {
		say(ctx, P8(19) | 1);
		PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	}
	bpf_tail_call(ctx, &jumps, P8(20) & 3);
	return XDP_PASS;
}
