// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack64.c - accesses to a stack of up to 64 bytes. */
#include "diff.h"

SEC("xdp") int PROG(stack64, 60)
{
	volatile __u64 a[8];
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 8; i++)
		a[i] = P32(14 + i * 5) + ((__u64)i << 40);
#pragma unroll
	for (int i = 7; i >= 0; i--)
		sum = (sum << 3 | sum >> 61) ^ a[i];
	P64(40) = sum;
	return VERDICT(sum);
}
