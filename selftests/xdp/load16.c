// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load16.c - 16-bit loads from the packet at each alignment. */
#include "diff.h"

SEC("xdp")
int load16(struct xdp_md *ctx)
{
	__u64 sum = 0;

	PACKET(ctx, 60);
	sum = sum + P16(14);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(15);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(16);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(17);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(18);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(19);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(20);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(21);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(22);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(0);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(1);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(2);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(3);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P16(5);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	P64(40) = sum;
	return VERDICT(sum);
}
