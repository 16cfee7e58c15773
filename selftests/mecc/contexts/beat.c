// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * beat.c - the example for owners, for 2.2 seconds of the time stamp, which takes no such time here.
 *
 * The third record is of second 2, and has the third prime number.
 * out: 6d616465 2 3 5 2
 */
#include "examples/beat.c"
#include "prog.h"

void look(void)
{
	me_sleep(ME_TICK_HZ / 10 * 22);
	out[0] = *(__emem u32 *)beat.text;
	out[1] = (u32)beat.seconds;
	out[2] = beat.primes;
	out[3] = beat.last;
	out[4] = (u32)beat.ticks / ME_TICK_HZ;
}
