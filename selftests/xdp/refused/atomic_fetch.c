// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_fetch.c - an atomic addition that returns the old value */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u64);

SEC("xdp") int atomic_fetch(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	if (!v)
		return XDP_PASS;
	return __sync_fetch_and_add(v, 1) > 100 ? XDP_DROP : XDP_PASS;	/* refused: atomic-op */
}
