// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic.c - atomic operations on words of EMEM. host.c has them for the host. */
#include "prog.h"
#include "microengine.h"

static __emem u32 far_count[5];

void atomics(void)
{
	u32 i = in[0] % 5, j = in[1] % 5;

	me_add(&far_count[i], in[2]);
	out[0] = me_add(&far_count[j], in[3]);
	out[1] = me_set(&far_count[i], in[4]) ^ far_count[i];
	out[2] = me_clear(&far_count[j], in[5]);
	me_set(&far_count[1], in[6]);
	me_clear(&far_count[2], in[7]);
	out[3] = far_count[i] + far_count[j] * 3 + far_count[1] * 5 + far_count[2] * 7;
}

#define ENTRIES(X) X(atomics)
