/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tails_random.h - macros and functions for the random programs that tails.py generates. */
#ifndef TAILS_RANDOM_H
#define TAILS_RANDOM_H

#include "selftests/xdp/tails/tails.h"

/* A tail call that the compiler cannot merge with another: @n is different for each. */
#define TAIL(map, index, n) do { \
		bpf_tail_call(ctx, map, index); \
		asm volatile("" : : "i"(n)); \
	} while (0)

/* TAIL() in a program. After the call the program must check the packet again. */
#define GO_NR(map, index, n) do { \
		TAIL(map, index, n); \
		PACKET_AGAIN(ctx, 60, XDP_ABORTED); \
	} while (0)

/* A loop of @n rounds, which the compiler does not unroll. */
#define REPEAT(n, what) do { \
		_Pragma("clang loop unroll(disable)") \
		for (__u32 i_ = 0; i_ < (n); i_++) { \
			HIDE(i_); \
			i_ &= 7; \
			what; \
			PACKET_AGAIN(ctx, 60, XDP_ABORTED); \
		} \
	} while (0)

#define USED(got, s)	do { (void)(got); (void)(s); } while (0)

MAP(counts, ARRAY, 8, __u32, __u64);
MAP(table, HASH, 16, __u32, __u64);
EVENTS(events);

static __always_inline void count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &key);

	if (n)
		__sync_fetch_and_add(n, 1);
}

static __always_inline void put(__u32 key, __u32 value)
{
	__u64 v = value | 1ull << 32;

	bpf_map_update_elem(&table, &key, &v, BPF_ANY);
}

static __always_inline __u32 get(__u32 key)
{
	__u64 *v = bpf_map_lookup_elem(&table, &key);

	return v ? *v : 0;
}

static __always_inline void say(struct xdp_md *ctx, __u32 n)
{
	__u32 what[2] = { n, 0x12345678 };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 20ull << 32, what, sizeof(what));
}

#endif /* TAILS_RANDOM_H */
