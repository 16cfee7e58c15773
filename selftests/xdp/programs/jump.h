/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jump.h - comparisons of registers of one width: U, S, and P in the packet. */
#ifndef JUMP_H
#define JUMP_H

#include "diff.h"

#define IF(cond, v) do { if (cond) r += (v); HIDE(r); } while (0)

SEC("xdp") int PROG(PROGRAM, 60)
{
	U a, b;
	__u32 r = 0;

	a = P(14);
	b = P(22);
	/* equal, and next to each other, often enough */
	if (P8(30) & 1)
		b = a + (P8(30) >> 6) - 1;
	IF((U)a == (U)b, 1 << 0);
	IF((U)a != (U)b, 1 << 1);
	IF((U)a < (U)b, 1 << 2);
	IF((U)a <= (U)b, 1 << 3);
	IF((U)a > (U)b, 1 << 4);
	IF((U)a >= (U)b, 1 << 5);
	IF((S)a < (S)b, 1 << 6);
	IF((S)a <= (S)b, 1 << 7);
	IF((S)a > (S)b, 1 << 8);
	IF((S)a >= (S)b, 1 << 9);
	IF(a & b, 1 << 10);
	P32(32) = r;
	return VERDICT(r);
}

#endif /* JUMP_H */
