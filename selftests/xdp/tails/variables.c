// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: --native
 * variables.c - variables and constants, which cards do not support
 */
#include "tails.h"

int twice(struct xdp_md *ctx);
JUMPS(jumps, 2, [1] = twice);
static volatile __u32 seen;
__u64 sum = 7;
const volatile __u32 step = 3;

PROGRAM(twice, 60)
{
	TRACE(2);
	sum += step * P8(17);
	return VERDICT(seen + P8(18));
}

PROGRAM(entry, 60)
{
	TRACE(1);
	seen++;
	GO(&jumps, P8(16) & 1);
	return VERDICT(P8(19));
}
