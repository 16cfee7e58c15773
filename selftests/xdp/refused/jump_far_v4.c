// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump_far_v4.c - a jump with an offset of 32 bits */
#include "../programs/diff.h"

SEC("xdp") int PROG(jump_far_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("gotol +0" : "+r"(x));	/* refused: newer-cpu */
	return x > 9 ? XDP_DROP : XDP_PASS;
}
