/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* load.h - loads of one width, P, at each alignment. */
#ifndef LOAD_H
#define LOAD_H

#include "diff.h"

SEC("xdp") int PROG(PROGRAM, 60)
{
	static const __u8 at[] = { 14, 15, 16, 17, 18, 19, 20, 21, 22, 0, 1, 2, 3, 5 };
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 14; i++) {
		sum = HIDDEN(sum + P(at[i]));
		sum = sum << 5 ^ sum >> 59;
	}
	P64(40) = sum;
	return VERDICT(sum);
}

#endif /* LOAD_H */
