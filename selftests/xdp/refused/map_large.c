// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_large.c - a global variable of 1 MiB */
#include "../programs/diff.h"

__u64 table[1 << 17];	/* refused whole: map-global */

SEC("xdp") int PROG(map_large, 60)
{
	__sync_fetch_and_add(&table[7], 1);
	return XDP_PASS;
}
