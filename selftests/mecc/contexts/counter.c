// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * counter.c - eight contexts add to one counter, and each gets numbers that no other gets.
 *
 * The numbers are 0 to 799, so their sum is 319600. A load and a store would lose some, because
 * another context runs in between: out[3] counts that.
 * out: 320 4e070 ff 1
 */
#include "prog.h"
#include "microengine.h"

static __emem u32 count, plain, seen;

static inline void body(void)
{
	u32 i, n = 0;

	for (i = 0; i < 100; i++) {
		n = me_add(&count, 1);
		out[1] += n;
		plain = plain + 1;
		if (!(i & 15))
			me_yield();
	}
	me_set(&seen, 1u << me_context());
	if (n == 799) {
		out[0] = count;
		me_sleep(1);
		out[2] = seen;
		out[3] = plain < 800;
	}
}

#define CONTEXT(n) void context_##n(void) { body(); }
CONTEXT(0) CONTEXT(1) CONTEXT(2) CONTEXT(3) CONTEXT(4) CONTEXT(5) CONTEXT(6) CONTEXT(7)
