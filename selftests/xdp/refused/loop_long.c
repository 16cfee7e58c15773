// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loop_long.c - a loop with more steps than the verifier follows */
#include "../programs/diff.h"

SEC("xdp") int loop_long(struct xdp_md *ctx)
{
	PACKET(ctx, 60);
	__u64 sum = 0;

	for (__u32 i = 0; i < 600000; i++) {	/* refused whole: complex */
		sum += P8(14) ^ i;
		HIDE(sum);
	}
	return sum & 1 ? XDP_PASS : XDP_DROP;
}
