// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_write.c - a store to a map value */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int map_write(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (v)
		*v += 1;	/* refused: map-write */
	return XDP_PASS;
}
