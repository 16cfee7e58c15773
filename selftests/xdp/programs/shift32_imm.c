// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shift32_imm.c - 32-bit shifts by constants. */
#include "diff.h"

SEC("xdp") int PROG(shift32_imm, 250)
{
	static const int by[] = { 1, 7, 8, 16, 31 };
	__u32 a;

#pragma unroll
	for (int i = 0; i < 5; i++)
		a = SHIFTS(32, P32(14), by[i], 22 + 12 * i, 4);
	return VERDICT(a);
}
