// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cycle.c - programs that lead to each other */
#include "../tails.h"

/* ---- circle: programs that lead to each other
 * refused: tail calls form a cycle: two -> three -> two. With --loop they are counted
 */
int two(struct xdp_md *ctx);
int three(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = two, [1] = three);

PROGRAM(three, 60)
{
	bpf_tail_call(ctx, &jumps, 0);	/* here */
	return XDP_PASS;
}

PROGRAM(two, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_DROP;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16));
	return XDP_TX;
}

/* ---- circle_self: a program that leads to itself, by what --slot says
 * refused: tail calls form a cycle: entry -> entry. With --loop they are counted
 * link: --slot jumps:1=entry
 */
MAP(jumps, PROG_ARRAY, 2, __u32, __u32);

PROGRAM(entry, 60)
{
	if (P8(16))
		bpf_tail_call(ctx, &jumps, P8(17) & 1);	/* here */
	return XDP_PASS;
}

/* ---- circle_call: a function's tail call leads to a program that calls the function
 * refused: recursion nests calls 9 functions deep
 * link: --loop
 */
int entry(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = entry);

static __noinline int turn(struct xdp_md *ctx, __u32 n)
{
	bpf_tail_call(ctx, &jumps, n & 1);
	return n & 3;
}

PROGRAM(entry, 60)
{
	return turn(ctx, P8(16));	/* here */
}

/* ---- five: no register is left for the count
 * refused: a function of 5 arguments with tail calls that have to be counted
 * link: --loop
 */
int back(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = back);

static __noinline int five(struct xdp_md *ctx, __u32 a, __u32 b, __u32 c, __u32 d)
{
	bpf_tail_call(ctx, &jumps, a ^ b);
	return (c ^ d) & 1;
}

PROGRAM(back, 60)
{
	P8(14)++;
	bpf_tail_call(ctx, &jumps, P8(14));
	return XDP_PASS;
}

PROGRAM(entry, 60)
{
	return five(ctx, P8(16), P8(17), P8(18), P8(19));	/* here */
}
