// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event.c - events */
#include "diff.h"

/* ---- event: sends the head of each packet, and a digest, to a perf ring */
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

/* ---- event_data: events with bytes from the program, and none of the packet */
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

/* ---- event_packet: events with bytes of the packet; their number is in the packet, or too large
 */
EVENTS(events);

SEC("xdp") int PROG(event_packet, 60)
{
	__u32 len = P16(14) & 127, d = end - data;

	P64(30) = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | (__u64)len << 32,
					&d, sizeof(d));
	return VERDICT(P8(14));
}

/* ---- event_value: events of a map's value */
MAP(in_values, HASH, 6, __u32, __u64[2]);
EVENTS(events);

SEC("xdp") int event_value(struct xdp_md *ctx)
{
	__u32 k;
	__u64 *v;

	PACKET(ctx, 60);
	k = P8(14) & 7;
	v = bpf_map_lookup_elem(&in_values, &k);
	if (!v)
		return XDP_DROP;
	P64(30) = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 14ull << 32, v, 16);
	return XDP_PASS;
}

/* ---- hook: send an event for each packet. The packet gives the map (byte 14), the number of bytes
 * from the program (byte 16), and the number of bytes of the packet (18, 19).
 */
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
