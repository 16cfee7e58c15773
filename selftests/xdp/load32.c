// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load32.c - 32-bit loads from the packet at each alignment. */
#include "diff.h"

SEC("xdp")
int load32(struct xdp_md *ctx)
{
	__u64 sum = 0;

	PACKET(ctx, 60);
	sum = sum + P32(14);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(15);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(16);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(17);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(18);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(19);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(20);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(21);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(22);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(0);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(1);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(2);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(3);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P32(5);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	P64(40) = sum;
	return VERDICT(sum);
}
