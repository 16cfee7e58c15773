// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load64.c - 64-bit loads from the packet at each alignment. */
#include "diff.h"

SEC("xdp")
int load64(struct xdp_md *ctx)
{
	__u64 sum = 0;

	PACKET(ctx, 60);
	sum = sum + P64(14);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(15);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(16);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(17);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(18);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(19);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(20);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(21);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(22);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(0);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(1);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(2);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(3);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P64(5);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	P64(40) = sum;
	return VERDICT(sum);
}
