// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* entry.c - which program comes first, and in which slots programs are */
#include "../tails.h"

/* ---- entries: a packet may enter either of two
 * refused: 2 XDP programs are in no slot of a prog array \((entry, other|other, entry)\): say with --entry which
 */
int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

PROGRAM(next, 60)
{
	return VERDICT(P8(16));
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}

PROGRAM(other, 60)
{
	bpf_tail_call(ctx, &jumps, P8(17));
	return XDP_PASS;
}

/* ---- entries_none: a packet may enter any of them
 * refused: each XDP program is in a slot of a prog array: say with --entry which one comes first
 */
int one(struct xdp_md *ctx);
int two(struct xdp_md *ctx);
JUMPS(jumps, 2, one, two);

PROGRAM(two, 60)
{
	return VERDICT(P8(16));
}

PROGRAM(one, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}

/* ---- untold: a prog array that some other process fills
 * refused: the contents of prog array jumps are not given: use .values of its definition, --slot
 */
MAP(jumps, PROG_ARRAY, 2, __u32, __u32);

PROGRAM(entry, 60)
{
	if (P8(16))
		bpf_tail_call(ctx, &jumps, 1);	/* here */
	return XDP_PASS;
}

/* ---- other_type: a program of tc in a slot
 * refused: program classify is in section "tc": only XDP programs can be linked
 */
int classify(struct __sk_buff *skb);
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__array(values, int (void *));
} jumps SEC(".maps") = { .values = { [1] = (void *)&classify } };

SEC("tc") int classify(struct __sk_buff *skb)
{
	return skb->mark;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}

/* ---- value_function: a function that is no program in a slot
 * refused: 'helper' isn't a valid program reference
 */
int helper(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = helper);

__noinline int helper(struct xdp_md *ctx)
{
	return trace(ctx, 1) & 3;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return helper(ctx);
}
