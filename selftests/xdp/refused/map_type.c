// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_type.c - an LRU hash map */
#include "../programs/diff.h"

MAP(m, LRU_HASH, 64, __u32, __u64);	/* refused whole: map-type */

SEC("xdp") int map_type(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}
