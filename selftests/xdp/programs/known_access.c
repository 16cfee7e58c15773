// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_access.c - known bugs with the packet, functions, maps, events (KNOWN.rst) */
#include "diff.h"

/* ---- known_copy_tail: a copy of 43 bytes to byte 220 (KNOWN.rst) */
SEC("xdp") int PROG(known_copy_tail, 300)
{
	COPY(__u8, 220, 15, 43);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 300)
{
	COPY(__u8, 220, 15, 40);
	COPY(__u8, 4, 55, 3);
	return XDP_PASS;
}

/* ---- known_copy_overlap: a load of bytes that the store before has changed in part (KNOWN.rst) */
SEC("xdp") int PROG(known_copy_overlap, 60)
{
	COPY(__u32, 19, 14, 2);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 v = P64(14);

	P64(19) = v;
	return XDP_PASS;
}

/* ---- known_copy_last: the value of the register after a copy (KNOWN.rst) */
#define MOVE(r, type, from, to) \
	asm volatile("%0 = *(" type " *)(%1 + " #from "); *(" type " *)(%1 + " #to ") = %0" \
		     : "+r"(r) : "r"(data) : "memory")

SEC("xdp") int PROG(known_copy_last, 60)
{
	__u64 w = 0, h = 0, b = 0;

	MOVE(w, "u32", 14, 24);
	MOVE(w, "u32", 18, 28);
	P64(32) = w;
	MOVE(h, "u16", 16, 26);
	MOVE(h, "u16", 14, 24);
	P64(40) = h;
	MOVE(b, "u8", 15, 29);
	MOVE(b, "u8", 14, 28);
	P64(48) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P32(24) = P32(14);
	P32(28) = P32(18);
	P64(32) = P32(14);
	P32(24) = P32(14);
	P64(40) = P16(16);
	P16(28) = P16(14);
	P64(48) = P8(15);
	return XDP_PASS;
}

/* ---- known_cache_paths: two loads that are from the same address on one path only (KNOWN.rst) */
SEC("xdp") int PROG(known_cache_paths, 60)
{
	void *p = data;
	__u64 a, b;

	asm volatile("%0 = *(u8 *)(%3 + 14); if %0 > 127 goto +1; %2 += 4;"
		     "%0 = *(u32 *)(%2 + 16); %1 = *(u32 *)(%3 + 20)"
		     : "=&r"(a), "=&r"(b), "+&r"(p) : "r"(data));
	P64(32) = a;
	P64(40) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 at = P8(14) > 127 ? 20 : 24;

	P64(40) = at == 20 ? P32(20) : P32(24);
	P64(32) = at == 20 ? P32(16) : P32(20);
	return XDP_PASS;
}

/* ---- known_call_byte: a function reads and writes bytes of its caller's stack (KNOWN.rst) */
static __noinline int byte(__u8 *p)
{
	if (!p)
		return 0;
	p[7] = 0x77;
	return p[3];
}

SEC("xdp") int PROG(known_call_byte, 60)
{
	__u64 a[2];

	a[0] = P64(14);
	a[1] = P64(22);
	P32(30) = byte((__u8 *)a);
	P64(36) = a[0];
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P32(30) = P8(15);
	P64(36) = P64(14);
	return XDP_PASS;
}

/* ---- known_call_key: a function looks up a key in its caller's frame (KNOWN.rst) */
MAP(in_table, HASH, 8, __u32, __u32);

static __noinline int found(__u32 *key)
{
	return key && bpf_map_lookup_elem(&in_table, key);
}

SEC("xdp") int PROG(known_call_key, 60)
{
	__u32 key = P8(14) & 7;

	return found(&key) ? XDP_PASS : XDP_DROP;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }

/* ---- known_value_below: a load below a pointer into a map's value (KNOWN.rst) */
MAP(in_values, ARRAY, 64, __u32, __u64[4]);

static __always_inline __u64 second(__u32 key)
{
	__u64 *v = bpf_map_lookup_elem(&in_values, &key);
	__u64 r = 0;

	if (v)
		asm volatile("%1 += 24; %0 = *(u64 *)(%1 - 16)" : "=r"(r), "+r"(v));
	return r;
}

SEC("xdp") int PROG(known_value_below, 60)
{
	P64(24) = second(P8(14) & 31);
	return XDP_PASS;
}

/* Entries have 32 bytes and are adjacent, so 256 bytes are 8 entries. */
SEC("card") int in_card(struct xdp_md *ctx)
{
	__u64 *v;
	__u32 key;

	PACKET(ctx, 60);
	key = (P8(14) & 31) + 8;
	v = bpf_map_lookup_elem(&in_values, &key);
	if (v)
		P64(24) = v[1];
	return XDP_PASS;
}

/* ---- known_event_count: an event with a map's value that has atomic counters (KNOWN.rst) */
MAP(counts, ARRAY, 1, __u32, __u64);
EVENTS(events);

static __always_inline __u64 *count(void)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&counts, &key);

	if (v)
		__sync_fetch_and_add(v, 0x100000003);
	return v;
}

SEC("xdp") int known_event_count(struct xdp_md *ctx)
{
	__u64 *v = count();

	if (v)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, v, 8);
	return XDP_DROP;
}

SEC("card") int in_card(struct xdp_md *ctx)
{
	__u64 *v = count();
	__u32 swapped[2];

	if (v) {
		swapped[0] = bpf_htonl(*v);
		swapped[1] = bpf_htonl(*v >> 32);
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, swapped, 8);
	}
	return XDP_DROP;
}

/* ---- known_head_unchecked: remove 30 bytes in front of a packet of 40 (KNOWN.rst) */
SEC("xdp") int PROG(known_head_unchecked, 60)
{
	if (bpf_xdp_adjust_tail(ctx, 40 - (int)(end - data)))
		return XDP_TX;
	return bpf_xdp_adjust_head(ctx, 30) ? XDP_PASS : XDP_DROP;
}

SEC("card") int in_card(struct xdp_md *ctx) { return XDP_ABORTED; }

/* ---- known_headroom: add 93 bytes in front of a packet, or remove 113 (KNOWN.rst) */
SEC("xdp") int PROG(known_headroom, 60)
{
	if (P8(14) & 1)
		return bpf_xdp_adjust_head(ctx, 113) ? XDP_DROP : XDP_PASS;
	return bpf_xdp_adjust_head(ctx, -84) || bpf_xdp_adjust_head(ctx, -9) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }

/* ---- known_tail_grow: add 4 bytes at a packet's end (KNOWN.rst) */
SEC("xdp") int PROG(known_tail_grow, 60)
{
	return bpf_xdp_adjust_tail(ctx, 4) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }

/* ---- known_tail_zero: move the end by 0 bytes (KNOWN.rst) */
SEC("xdp") int PROG(known_tail_zero, 60)
{
	return bpf_xdp_adjust_tail(ctx, 0) ? XDP_DROP : XDP_PASS;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }
