// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_size.c - frames within the kernel's limit, but not within the card's */
#include "../programs/diff.h"

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
