/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jump_imm.h - comparisons with constants, of one width: U, S, and P in the packet. */
#ifndef JUMP_IMM_H
#define JUMP_IMM_H

#include "diff.h"

#define IF(cond, v) do { if (cond) r += (v); HIDE(r); } while (0)

/* Compare a with @k in each way. The result has @v plus a different number for each that holds. */
#define COMPARE(k, v) do { \
		IF((U)a == (U)(k), v); \
		IF((U)a < (U)(k), (v) + 37); \
		IF((U)a > (U)(k), (v) + 74); \
		IF((S)a < (S)(k), (v) + 111); \
		IF((S)a > (S)(k), (v) + 148); \
		IF((S)a <= (S)(k), (v) + 185); \
		IF((S)a >= (S)(k), (v) + 222); \
	} while (0)

SEC("xdp") int PROG(PROGRAM, 60)
{
	U a;
	__u32 r = 0;

	a = P(14);
	if (P8(30) & 1)
		a = (S)(__s8)P8(31);
	HIDE(a);
	COMPARE(0, 259);
	COMPARE(-1, 518);
	COMPARE(0x7f, 777);
	COMPARE(-128, 1036);
	COMPARE(0x7fffffff, 1295);
#ifdef WIDE
	COMPARE(0x100000000, 1554);
#endif
	IF(a & 0x81, 5);
	P32(32) = r;
	return VERDICT(r);
}

#endif /* JUMP_IMM_H */
