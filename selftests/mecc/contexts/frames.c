// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * frames.c - entries with the same code have local variables and spilled registers of their own.
 *
 * Each context fills an array, and lets the other fill its own at each step. The sums are those of
 * the squares of 100 to 139, and of 500 to 539.
 * out: 8cc1c a4cd9c 1
 */
#include "prog.h"
#include "microengine.h"

static inline u32 sum(u32 from)
{
	volatile u32 a[40];
	u32 i, s = 0;

	for (i = 0; i < 40; i++) {
		a[i] = (from + i) * (from + i);
		me_yield();
	}
	for (i = 0; i < 40; i++) {
		s += a[i];
		me_yield();
	}
	return s;
}

/* 20 numbers of 64 bits are more than fit in registers while the other context runs. */
#define EACH(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20)
#define GET(n) u64 v##n = (u64)v * n * one; me_yield();
#define ADD(n) all += v##n; me_yield();

static volatile u32 one = 1;

static inline u32 spilled(u32 v)
{
	u64 all = 0;

	EACH(GET)
	EACH(ADD)
	return all == v * 210ull;
}

void low(void)
{
	out[0] = sum(100);
	out[2] = spilled(0x30000000);
}

void high(void)
{
	out[1] = sum(500);
	out[2] &= spilled(0x70000000);
}
