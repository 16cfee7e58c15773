// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: --slot jumps:2=far --slot others:1=near
 * with: joined_rest.c
 * joined.c - programs of two objects, which share maps
 */
#include "tails.h"

int near(struct xdp_md *ctx);
JUMPS(jumps, 3, [0] = near);
MAP(others, PROG_ARRAY, 2, __u32, __u32);
MAP(counts, ARRAY, 4, __u32, __u64);
MAP(own, ARRAY, 1, __u32, __u64);

PROGRAM(near, 60)
{
	__u64 *n = value_0(&own);

	TRACE(2);
	if (n)
		__sync_fetch_and_add(n, 2);
	return VERDICT(P8(20));
}

PROGRAM(entry, 60)
{
	__u64 *n = value_0(&counts);

	TRACE(1);
	if (n)
		__sync_fetch_and_add(n, 1);
	GO(&jumps, P8(16) & 3);
	return VERDICT(P8(22));
}
