// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_global.c - a global variable */
#include "../programs/diff.h"

__u64 packets;	/* refused whole: map-global */

SEC("xdp") int map_global(struct xdp_md *ctx)
{
	__sync_fetch_and_add(&packets, 1);
	return XDP_PASS;
}
