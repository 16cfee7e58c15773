// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack.c - accesses to the stack */
#include "../programs/diff.h"

/* ---- stack_size: frames within the kernel's limit, but not within the card's */
static __noinline int inner(void *data)
{
	volatile __u64 a[16];

	for (int i = 0; i < 16; i++)
		a[i] = P8(i);
	return a[3] + a[7];
}

SEC("xdp") int stack_size(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	volatile __u64 a[48];	/* refused whole: stack-size */

	for (int i = 0; i < 48; i++)
		a[i] = P8(i);
	return a[5] + inner(data) + a[40] == 77 ? XDP_DROP : XDP_PASS;
}

/* ---- stack_variable: an array on the stack, with an index from the packet */
SEC("xdp") int PROG(stack_variable, 60)
{
	volatile __u32 a[8];

	for (int i = 0; i < 8; i++)
		a[i] = P8(20 + i);
	return a[P8(14) & 7] & 1 ? XDP_PASS : XDP_DROP;	/* refused: stack-variable */
}

/* ---- stack_moves: one load at different offsets of the stack */
SEC("xdp") int PROG(stack_moves, 60)
{
	__u8 a[8] __attribute__((aligned(8)));
	__u8 *p = a;

	*(volatile __u64 *)a = P64(20);
	if (P8(14) & 1)
		asm volatile("%0 += 3" : "+r"(p));
	asm volatile("" : "+r"(p) : : "memory");
	return *p & 1 ? XDP_PASS : XDP_DROP;	/* refused: stack-moves */
}

/* ---- stack_pointer: a pointer to the stack of a function that has returned */
static __noinline int put(void *data, __u32 **to)
{
	__u32 here = P8(14);

	HIDE(here);
	*(__u32 *volatile *)to = &here;	/* refused: verifier */
	return here & 1;
}

SEC("xdp") int PROG(stack_pointer, 60)
{
	__u32 *there = (void *)0;

	if (put(data, &there))
		return XDP_DROP;
	return *there ? XDP_PASS : XDP_DROP;
}
