// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_use.c - a counter that the program reads */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int map_use(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (!v)
		return XDP_PASS;
	if (*v > 1000)
		return XDP_DROP;
	__sync_fetch_and_add(v, 1);	/* refused: map-use */
	return XDP_PASS;
}
