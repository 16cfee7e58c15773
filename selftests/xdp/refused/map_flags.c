// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_flags.c - a hash map with BPF_F_NO_PREALLOC */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u32, __u64, __uint(map_flags, BPF_F_NO_PREALLOC););	/* refused whole: map-flags */

SEC("xdp") int map_flags(struct xdp_md *ctx)
{
	__u64 *v = value_0(&m);

	return v && *v ? XDP_DROP : XDP_PASS;
}
