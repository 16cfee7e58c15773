// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sleep.c - waits that are longer than the alarm counts, shorter than it can be set, and none.
 *
 * A wait ends in time: 32 ticks are 512 cycles. The other context runs meanwhile.
 * out: 1 1 1 1 64
 */
#include "prog.h"
#include "microengine.h"

static u32 in_time(u64 ticks)
{
	u64 begin = me_ticks(), took;

	me_sleep(ticks);
	took = me_ticks() - begin;
	return took >= ticks && took < ticks + 32;
}

void sleeper(void)
{
	out[0] = in_time(200000);
	out[1] = in_time(3);
	out[2] = in_time(0x7000 + 2);
	out[3] = in_time(0);
}

void other(void)
{
	for (u32 i = 0; i < 100; i++) {
		me_sleep(1000);
		out[4]++;
	}
}
