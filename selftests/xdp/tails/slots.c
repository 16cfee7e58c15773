// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: --slot jumps:1=other --slot jumps:2=none --slot late:0=first --slot late:2=other --slot bare:none
 * slots.c - --slot overrides .values
 */
#include "tails.h"

int first(struct xdp_md *ctx);
int other(struct xdp_md *ctx);
JUMPS(jumps, 4, [0] = first, [1] = first, [2] = first);
MAP(late, PROG_ARRAY, 3, __u32, __u32);
MAP(bare, PROG_ARRAY, 3, __u32, __u32);

PROGRAM(other, 60)
{
	TRACE(3);
	GO(&bare, P8(17) & 3);
	return VERDICT(P8(20));
}

PROGRAM(first, 60)
{
	TRACE(2);
	return VERDICT(P8(21));
}

PROGRAM(entry, 60)
{
	TRACE(1);
	GO(&jumps, P8(16) & 3);
	TRACE(4);
	GO(&late, P8(18) & 3);
	return VERDICT(P8(22));
}
