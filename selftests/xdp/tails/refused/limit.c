// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* limit.c - programs that cannot be linked, or are too long */
#include "../tails.h"

/* ---- card: a program behind a tail call does what no card can
 * refused: the card has no bpf_ktime_get_ns\(\)
 */
int late(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = late);

PROGRAM(late, 60)
{
	P8(16) = bpf_ktime_get_ns();	/* here */
	return XDP_PASS;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}

/* ---- either: one tail call for two prog arrays
 * refused: the prog array of this tail call is not known, or not the same on all paths
 */
int next(struct xdp_md *ctx);
JUMPS(one, 2, [1] = next);
JUMPS(two, 2, [0] = next);

PROGRAM(next, 60)
{
	return VERDICT(P8(16));
}

PROGRAM(entry, 60)
{
	void *map = P8(17) & 1 ? (void *)&one : (void *)&two;

	bpf_tail_call(ctx, map, P8(18) & 1);	/* here */
	return XDP_PASS;
}

/* ---- far: a program that is too long to be jumped over
 * refused: a jump of 33[0-9]{3} instructions in the linked program; the limit is 32767
 * link: --native
 */
int large(struct xdp_md *ctx);
int behind(struct xdp_md *ctx);
JUMPS(jumps, 2, large, behind);

/* clang would not notice a jump over all that. */
SEC("xdp") int large(struct xdp_md *ctx)
{
	asm volatile("r0 = 1\n .rept 33000\n r0 += 1\n .endr" : : : "r0");
	return XDP_PASS;
}

PROGRAM(behind, 60)
{
	TRACE(1);
	return XDP_DROP;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);	/* here */
	return XDP_PASS;
}

/* ---- long: programs that are too long together; the message has the words of each
 * refused: the linked program has 3[0-9]{3} microengine instructions, bpf-2.0.6.124 has room for 2816
 * then: 1[0-9]{3}  program first
 * then: [0-9]+  program second
 * then: [0-9]+  program entry
 * then: [0-9]+  the code around the programs
 */
int first(struct xdp_md *ctx);
int second(struct xdp_md *ctx);
JUMPS(jumps, 2, first, second);

PROGRAM(first, 60)
{
	asm volatile("r0 = 1\n .rept 900\n r0 += 7\n .endr" : : : "r0");
	return XDP_PASS;
}

PROGRAM(second, 60)
{
	asm volatile("r0 = 1\n .rept 600\n r0 += 7\n .endr" : : : "r0");
	return XDP_DROP;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}

/* ---- kconfig: a variable whose value the kernel that loads it has
 * refused: variables of section .kconfig cannot be linked
 * link: --native
 */
extern unsigned long CONFIG_HZ __kconfig;
int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

PROGRAM(next, 60)
{
	return VERDICT(CONFIG_HZ);
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, 1);
	return XDP_PASS;
}

/* ---- relocated: a field of the kernel that loads the program
 * refused: CO-RE relocations cannot be linked
 */
struct sk_buff {
	unsigned int len;
} __attribute__((preserve_access_index));

int next(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = next);

PROGRAM(next, 60)
{
	return __builtin_preserve_field_info(((struct sk_buff *)0)->len, 0) & 1 ? XDP_PASS : XDP_TX;
}

PROGRAM(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}
