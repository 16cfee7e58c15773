/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jump.h - comparisons of registers of one width: U, S, and P in the packet. */
#ifndef JUMP_H
#define JUMP_H

#include "diff.h"

SEC("xdp")
int PROGRAM(struct xdp_md *ctx)
{
	U a, b;
	__u32 r = 0;

	PACKET(ctx, 60);
	a = P(14);
	b = P(22);
	/* equal, and next to each other, often enough */
	if (P8(30) & 1)
		b = a + (P8(30) >> 6) - 1;
	if ((U)a == (U)b)
		r += 1 << 0;
	HIDE(r);
	if ((U)a != (U)b)
		r += 1 << 1;
	HIDE(r);
	if ((U)a < (U)b)
		r += 1 << 2;
	HIDE(r);
	if ((U)a <= (U)b)
		r += 1 << 3;
	HIDE(r);
	if ((U)a > (U)b)
		r += 1 << 4;
	HIDE(r);
	if ((U)a >= (U)b)
		r += 1 << 5;
	HIDE(r);
	if ((S)a < (S)b)
		r += 1 << 6;
	HIDE(r);
	if ((S)a <= (S)b)
		r += 1 << 7;
	HIDE(r);
	if ((S)a > (S)b)
		r += 1 << 8;
	HIDE(r);
	if ((S)a >= (S)b)
		r += 1 << 9;
	HIDE(r);
	if (a & b)
		r += 1 << 10;
	HIDE(r);
	P32(32) = r;
	return VERDICT(r);
}

#endif /* JUMP_H */
