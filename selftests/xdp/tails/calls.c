// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* calls.c - no cycle, but functions that are called often make more than 33 tail calls */
#include "tails.h"

int a(struct xdp_md *ctx);
int b(struct xdp_md *ctx);
int c(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = a, [1] = b, [2] = c);

static __noinline int thrice(struct xdp_md *ctx, __u32 n)
{
	bpf_tail_call(ctx, &jumps, n);
	return 1;
}

PROGRAM(c, 60)
{
	P8(30)++;
	return 2;
}

PROGRAM(b, 60)
{
	P8(31)++;
	GO(&jumps, 2);
	P8(32)++;
	return 3;
}

PROGRAM(a, 60)
{
	P8(33)++;
	GO(&jumps, 1);
	P8(34)++;
	return 0;
}

PROGRAM(entry, 60)
{
	__u32 sum = 0, n = P8(16) & 3;

	for (int i = 0; i < 15; i++)
		sum += thrice(ctx, n) + 1;
	PACKET_AGAIN(ctx, 60, XDP_ABORTED);
	P32(36) = sum;
	GO(&jumps, P8(17) & 3);
	P8(35)++;
	return VERDICT(P8(18));
}
