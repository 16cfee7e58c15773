/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * diff.h - definitions for the programs of xdp_diff. Each program reads operands from its
 * packet, and stores its results in the packet, in its maps, or in its verdict.
 * Packets are 60 bytes or longer, and random.
 */
#ifndef DIFF_H
#define DIFF_H

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* A map of type BPF_MAP_TYPE_@kind; more attributes may follow. */
#define MAP(name, kind, entries, k, v, ...) \
	struct { \
		__uint(type, BPF_MAP_TYPE_##kind); \
		__uint(max_entries, entries); \
		__type(key, k); \
		__type(value, v); \
		__VA_ARGS__ \
	} name SEC(".maps")

#define EVENTS(name)	MAP(name, PERF_EVENT_ARRAY, 2, int, __u32)

/* The helper for events needs this license on the host, but not on the card. */
#ifndef NO_LICENSE
char _license[] SEC("license") = "Dual BSD/GPL";
#endif

/* Look up key 0, of 4 bytes. */
static __always_inline void *value_0(void *map)
{
	__u32 key = 0;

	return bpf_map_lookup_elem(map, &key);
}

/* Begin a program that needs @n bytes of packet. */
#define PACKET(ctx, n) \
	void *data, *end; \
	PACKET_AGAIN(ctx, n, XDP_ABORTED)

/*
 * Like libbpf's BPF_PROG(): "int PROG(name, n) { ... }" defines program @name. Its body has the
 * packet from data to end, with at least @n bytes. A shorter packet gets XDP_ABORTED.
 */
#define PROG(name, n)	PROG_(name, n)
#define PROG_(name, n) \
	name(struct xdp_md *ctx); \
	static __always_inline int body_##name(struct xdp_md *ctx, void *data, void *end); \
	int name(struct xdp_md *ctx) \
	{ \
		PACKET(ctx, n); \
		return body_##name(ctx, data, end); \
	} \
	static __always_inline int body_##name(struct xdp_md *ctx, void *data, void *end)

/* Load the pointers again after a move. Return @no if the packet has fewer than @n bytes. */
#define PACKET_AGAIN(ctx, n, no) do { \
		data = (void *)(long)(ctx)->data; \
		end = (void *)(long)(ctx)->data_end; \
		if (data + (n) > end) \
			return no; \
	} while (0)

#define P8(off)		(*(__u8 *)(data + (off)))
#define P16(off)	(*(__u16 *)(data + (off)))
#define P32(off)	(*(__u32 *)(data + (off)))
#define P64(off)	(*(__u64 *)(data + (off)))

/* Hide the value of @x from the compiler, so that it does not merge operations. */
#define HIDE(x)		asm volatile("" : "+r"(x))
#define HIDDEN(x)	({ __typeof__(x) x_ = (x); HIDE(x_); x_; })

/*
 * Shift @a by @n to the left, to the right, and arithmetically to the right. Store the results
 * in the packet at byte @to and every @step bytes after it. The value is the last result.
 */
#define SHIFTS(bits, a, n, to, step) ({ \
		P##bits(to) = HIDDEN((__u##bits)(a) << (n)); \
		P##bits((to) + (step)) = HIDDEN((__u##bits)(a) >> (n)); \
		P##bits((to) + 2 * (step)) = HIDDEN((__u##bits)((__s##bits)(a) >> (n))); \
	})

/* A verdict that depends on @x; never XDP_REDIRECT */
#define VERDICT(x) \
	((x) & 1 ? XDP_PASS : (x) & 2 ? XDP_TX : (x) & 4 ? XDP_DROP : XDP_PASS)

/* @n loads, each followed by its store: the JIT combines them into one copy. */
#define COPY(type, to, from, n) do { \
		_Pragma("unroll") \
		for (int i_ = 0; i_ < (n); i_++) \
			((volatile type *)(data + (to)))[i_] = \
				((volatile type *)(data + (from)))[i_]; \
	} while (0)

#endif /* DIFF_H */
