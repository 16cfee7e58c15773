/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* load.h - loads of one width, P, at each alignment. */
#ifndef LOAD_H
#define LOAD_H

#include "diff.h"

SEC("xdp")
int PROGRAM(struct xdp_md *ctx)
{
	__u64 sum = 0;

	PACKET(ctx, 60);
	sum = sum + P(14);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(15);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(16);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(17);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(18);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(19);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(20);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(21);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(22);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(0);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(1);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(2);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(3);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	sum = sum + P(5);
	HIDE(sum);
	sum = sum << 5 ^ sum >> 59;
	P64(40) = sum;
	return VERDICT(sum);
}

#endif /* LOAD_H */
