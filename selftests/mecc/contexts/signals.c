// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * signals.c - waits for any of several signals, for signals that are no constants, and tests, which
 * take a signal.
 *
 * out: 1 0 0 1 2 7 1
 */
#include "microengine.h"
#include "prog.h"

#define FIRST	5
#define SECOND	6

static u32 later = 7;

void waits(void)
{
	__me_ctx_arb_any(1u << FIRST | 1u << SECOND);
	out[0] = __me_take_signal(FIRST);
	out[1] = __me_take_signal(FIRST);
	out[2] = __me_take_signal(SECOND);
	__me_ctx_arb(1u << SECOND);
	out[3] = 1;
	__me_ctx_arb(1u << later);
	out[4] = 2;
	__me_ctx_arb_any(1u << later | 1u << (later + 1));
	out[5] = 7;
	out[6] = __me_take_signal(8);
}

void sends(void)
{
	me_signal(0, FIRST);
	me_yield();
	me_signal(0, SECOND);
	me_yield();
	me_signal(0, later);
	me_yield();
	me_signal(0, later + 1);
}
