// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * calls.c - contexts that run the same function at the same time. Each has its variables in a frame
 * for itself: the function gives the microengine up while they are in use.
 *
 * out: 24 2c 34 1 1 1
 */
#include "microengine.h"
#include "prog.h"

static __attribute__((noinline)) u32 add(u32 *to, u32 n, u32 v)
{
	to[n & 3] += v;
	me_yield();
	return to[n & 3];
}

/* 4 numbers from @first on, twice, in an order that an index in memory decides */
static __attribute__((noinline)) u32 sum(u32 first)
{
	u32 part[4] = { 0, 0, 0, 0 }, i, total = 0;

	for (i = 0; i < 8; i++)
		add(part, i, first + (i & 3));
	for (i = 0; i < 4; i++) {
		me_yield();
		total += part[(i + first) & 3];
	}
	return total;
}

void zero(void)
{
	out[0] = sum(3);
	out[3] = 1;
}

void one(void)
{
	out[1] = sum(4);
	out[4] = 1;
}

void two(void)
{
	out[2] = sum(5);
	out[5] = 1;
}
