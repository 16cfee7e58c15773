// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * token.c - two contexts pass a token by signals, each adds its digit to a number.
 *
 * Without the signals, one context would add its digits before the other.
 * out: 12121212 12121212 1
 */
#include "prog.h"
#include "microengine.h"

enum { TO_PING = 5, TO_PONG = 15 };

static void digit(u32 d)
{
	out[0] = out[0] << 4 | out[1] >> 28;
	out[1] = out[1] << 4 | d;
}

void ping(void)
{
	for (u32 i = 0; i < 8; i++) {
		digit(1);
		me_signal(1, TO_PONG);
		me_wait(TO_PING);
	}
	out[2]++;
}

void pong(void)
{
	for (u32 i = 0; i < 8; i++) {
		me_wait(TO_PONG);
		digit(2);
		me_signal(0, TO_PING);
	}
}
