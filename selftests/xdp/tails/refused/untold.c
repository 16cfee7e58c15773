// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: the contents of prog array jumps are not given: use .values of its definition, --slot
 * untold.c - a prog array that some other process fills
 */
#include "../chain.h"

MAP(jumps, PROG_ARRAY, 2, __u32, __u32);

STAGE(entry, 60)
{
	if (P8(16))
		bpf_tail_call(ctx, &jumps, 1);	/* here */
	return XDP_PASS;
}
