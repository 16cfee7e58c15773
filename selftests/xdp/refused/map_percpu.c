// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_percpu.c - a per-CPU counter */
#include "../programs/diff.h"

MAP(m, PERCPU_ARRAY, 4, __u32, __u64);	/* refused whole: map-percpu */

SEC("xdp") int map_percpu(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}
