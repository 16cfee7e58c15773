// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loop.c - a loop with a constant bound, and a loop that ends early. */
#include "diff.h"

SEC("xdp") int PROG(loop, 60)
{
	__u32 i, sum = 0, n;

	for (i = 0; i < 40; i++) {
		if (P8(14 + i) == 0xff)
			break;
		sum += P8(14 + i) << (i & 7);
		HIDE(sum);
	}
	n = i;
	for (i = 0; i < 8; i++) {
		sum = sum << 1 ^ sum >> 31 ^ n;
		HIDE(sum);
	}
	P32(56) = sum;
	return VERDICT(sum);
}
