// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift64_imm.c - 64-bit shifts by constants. */
#include "diff.h"

SEC("xdp") int PROG(shift64_imm, 250)
{
	static const int by[] = { 1, 8, 31, 32, 33, 40, 63 };
	__u64 a;

#pragma unroll
	for (int i = 0; i < 7; i++)
		a = SHIFTS(64, P64(14), by[i], 22 + 24 * i, 8);
	return VERDICT(a);
}
