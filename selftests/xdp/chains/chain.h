/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * chain.h - what the programs of xdp_chain share. Each object has a program "entry",
 * and others that tail calls lead to. The second line of a file may have options for
 * nfpchan xdp link: "link: OPTIONS".
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "../programs/diff.h"

/*
 * As diff.h has it, with pointers that the compiler knows nothing of. It may else copy the
 * lower half of one where it knows that a load has made the upper half 0. On the host that
 * is no pointer any more; on the card, whose pointers have 32 bits, it is.
 */
#undef PACKET_AGAIN
#define PACKET_AGAIN(ctx, n, no) do { \
		data = (void *)(long)(ctx)->data; \
		end = (void *)(long)(ctx)->data_end; \
		HIDE(data); \
		HIDE(end); \
		if (data + (n) > end) \
			return no; \
	} while (0)

/* Program named @name, with room for @n bytes of packet checked; it has data, end and ctx */
#define STAGE(name, n)	SEC("xdp") int PROG(name, n)

/* A prog array of @n slots, filled in C by the values behind it */
#define JUMPS(name, n, ...) \
	struct { \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY); \
		__uint(max_entries, n); \
		__uint(key_size, 4); \
		__array(values, int (struct xdp_md *)); \
	} name SEC(".maps") = { .values = { __VA_ARGS__ } }

/* Room for the trace of stages in each packet: each adds its number. */
#define TRACE(n)	(P8(14) = P8(14) * 3 + (n))

/* A tail call of a STAGE. The kernel wants the packet to be checked again behind it. */
#define GO(map, index) do { \
		bpf_tail_call(ctx, map, index); \
		PACKET_AGAIN(ctx, 60, XDP_ABORTED); \
	} while (0)

/* For functions: all of the packet is checked anew. */
static __always_inline int trace(struct xdp_md *ctx, __u8 n)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;

	if (data + 60 > end)
		return 0;
	TRACE(n);
	return P8(15);
}

#endif /* CHAIN_H */
