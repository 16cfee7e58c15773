// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load8.c - 8-bit loads from the packet at each alignment. */
#include "diff.h"

SEC("xdp")
int load8(struct xdp_md *ctx)
{
	__u64 sum = 0;

	PACKET(ctx, 60);
	sum = sum + P8(14);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(15);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(16);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(17);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(18);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(19);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(20);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(21);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(22);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(0);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(1);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(2);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(3);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P8(5);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	P64(40) = sum;
	return VERDICT(sum);
}
