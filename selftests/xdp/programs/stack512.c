// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack512.c - accesses to all 512 bytes of stack. */
#include "diff.h"

SEC("xdp") int PROG(stack512, 60)
{
	volatile __u64 a[60];
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 60; i++)
		a[i] = P32(14 + i % 40) + ((__u64)i << 40);
#pragma unroll
	for (int i = 59; i >= 0; i--)
		sum = (sum << 3 | sum >> 61) ^ a[i];
	P64(40) = sum;
	return VERDICT(sum);
}
