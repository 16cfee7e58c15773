// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_type.c - a hash map that forgets the least recently used */
#include "../programs/diff.h"

MAP(m, LRU_HASH, 64, __u32, __u64);	/* refused whole: map-type */

SEC("xdp") int map_type(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	return v && *v ? XDP_DROP : XDP_PASS;
}
