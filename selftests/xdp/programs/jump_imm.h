/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jump_imm.h - comparisons with constants, of one width: U, S, and P in the packet. */
#ifndef JUMP_IMM_H
#define JUMP_IMM_H

#include "diff.h"

SEC("xdp")
int PROGRAM(struct xdp_md *ctx)
{
	U a;
	__u32 r = 0;

	PACKET(ctx, 60);
	a = P(14);
	if (P8(30) & 1)
		a = (S)(__s8)P8(31);
	HIDE(a);
	if ((U)a == (U)0)
		r += 259;
	HIDE(r);
	if ((U)a < (U)0)
		r += 296;
	HIDE(r);
	if ((U)a > (U)0)
		r += 333;
	HIDE(r);
	if ((S)a < (S)0)
		r += 370;
	HIDE(r);
	if ((S)a > (S)0)
		r += 407;
	HIDE(r);
	if ((S)a <= (S)0)
		r += 444;
	HIDE(r);
	if ((S)a >= (S)0)
		r += 481;
	HIDE(r);
	if ((U)a == (U)-1)
		r += 518;
	HIDE(r);
	if ((U)a < (U)-1)
		r += 555;
	HIDE(r);
	if ((U)a > (U)-1)
		r += 592;
	HIDE(r);
	if ((S)a < (S)-1)
		r += 629;
	HIDE(r);
	if ((S)a > (S)-1)
		r += 666;
	HIDE(r);
	if ((S)a <= (S)-1)
		r += 703;
	HIDE(r);
	if ((S)a >= (S)-1)
		r += 740;
	HIDE(r);
	if ((U)a == (U)0x7f)
		r += 777;
	HIDE(r);
	if ((U)a < (U)0x7f)
		r += 814;
	HIDE(r);
	if ((U)a > (U)0x7f)
		r += 851;
	HIDE(r);
	if ((S)a < (S)0x7f)
		r += 888;
	HIDE(r);
	if ((S)a > (S)0x7f)
		r += 925;
	HIDE(r);
	if ((S)a <= (S)0x7f)
		r += 962;
	HIDE(r);
	if ((S)a >= (S)0x7f)
		r += 999;
	HIDE(r);
	if ((U)a == (U)-128)
		r += 1036;
	HIDE(r);
	if ((U)a < (U)-128)
		r += 1073;
	HIDE(r);
	if ((U)a > (U)-128)
		r += 1110;
	HIDE(r);
	if ((S)a < (S)-128)
		r += 1147;
	HIDE(r);
	if ((S)a > (S)-128)
		r += 1184;
	HIDE(r);
	if ((S)a <= (S)-128)
		r += 1221;
	HIDE(r);
	if ((S)a >= (S)-128)
		r += 1258;
	HIDE(r);
	if ((U)a == (U)0x7fffffff)
		r += 1295;
	HIDE(r);
	if ((U)a < (U)0x7fffffff)
		r += 1332;
	HIDE(r);
	if ((U)a > (U)0x7fffffff)
		r += 1369;
	HIDE(r);
	if ((S)a < (S)0x7fffffff)
		r += 1406;
	HIDE(r);
	if ((S)a > (S)0x7fffffff)
		r += 1443;
	HIDE(r);
	if ((S)a <= (S)0x7fffffff)
		r += 1480;
	HIDE(r);
	if ((S)a >= (S)0x7fffffff)
		r += 1517;
	HIDE(r);
#ifdef WIDE
	if ((U)a == (U)0x100000000)
		r += 1554;
	HIDE(r);
	if ((U)a < (U)0x100000000)
		r += 1591;
	HIDE(r);
	if ((U)a > (U)0x100000000)
		r += 1628;
	HIDE(r);
	if ((S)a < (S)0x100000000)
		r += 1665;
	HIDE(r);
	if ((S)a > (S)0x100000000)
		r += 1702;
	HIDE(r);
	if ((S)a <= (S)0x100000000)
		r += 1739;
	HIDE(r);
	if ((S)a >= (S)0x100000000)
		r += 1776;
	HIDE(r);
#endif
	if (a & 0x81)
		r += 5;
	HIDE(r);
	P32(32) = r;
	return VERDICT(r);
}

#endif /* JUMP_IMM_H */
