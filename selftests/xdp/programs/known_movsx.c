// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_movsx.c - a sign-extending move, of BPF version 4. It has the opcode of a plain
 * one and says so in its offset, at which the driver does not look (verifier.c,
 * nfp_verify_insn(); jit.c, mov_reg64()).
 */
#include "diff.h"

SEC("xdp") int PROG(known_movsx, 60)
{
	register __u64 a asm("r1");

	a = P64(14);
	/* r1 = (s8)r1 */
	asm volatile(".8byte 0x00000000000811bf" : "+r"(a));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P64(14);
	return XDP_PASS;
}
