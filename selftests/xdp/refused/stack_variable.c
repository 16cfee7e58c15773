// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_variable.c - an array on the stack, with an index from the packet */
#include "../programs/diff.h"

SEC("xdp") int PROG(stack_variable, 60)
{
	volatile __u32 a[8];

	for (int i = 0; i < 8; i++)
		a[i] = P8(20 + i);
	return a[P8(14) & 7] & 1 ? XDP_PASS : XDP_DROP;	/* refused: stack-variable */
}
