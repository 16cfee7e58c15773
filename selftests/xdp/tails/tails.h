/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tails.h - definitions for the programs of xdp_tails. Each object has a program "entry", and
 * other programs that it reaches by tail calls. The second line of a file may have options for
 * nfpchan xdp link: "link: OPTIONS".
 */
#ifndef TAILS_H
#define TAILS_H

#include "../programs/diff.h"

/*
 * Like the macro of diff.h, but with pointers that are hidden from the compiler. Otherwise the
 * compiler may copy only the lower half of a pointer, because the load of 32 bits has cleared the
 * upper half. On the host the copy is not a pointer. On the card it is, as pointers have 32 bits.
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

/* Define program @name. Its packet has at least @n bytes; it has data, end and ctx. */
#define PROGRAM(name, n)	SEC("xdp") int PROG(name, n)

/* A prog array of @n slots, filled by the values that follow */
#define JUMPS(name, n, ...) \
	struct { \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY); \
		__uint(max_entries, n); \
		__uint(key_size, 4); \
		__array(values, int (struct xdp_md *)); \
	} name SEC(".maps") = { .values = { __VA_ARGS__ } }

/* Add program number @n to the trace of programs in the packet. */
#define TRACE(n)	(P8(14) = P8(14) * 3 + (n))

/* A tail call of a PROGRAM. The verifier requires a new check of the packet after it. */
#define GO(map, index) do { \
		bpf_tail_call(ctx, map, index); \
		PACKET_AGAIN(ctx, 60, XDP_ABORTED); \
	} while (0)

/* TRACE() for functions, with a check of the packet */
static __always_inline int trace(struct xdp_md *ctx, __u8 n)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;

	if (data + 60 > end)
		return 0;
	TRACE(n);
	return P8(15);
}

#endif /* TAILS_H */
