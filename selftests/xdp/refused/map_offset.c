// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_offset.c - a value that is an array, with an index from the packet */
#include "../programs/diff.h"

MAP(m, ARRAY, 1, __u32, __u32[8]);

SEC("xdp") int PROG(map_offset, 60)
{
	__u32 key = 0, i = P8(14) & 7;
	__u32 *v = bpf_map_lookup_elem(&m, &key);

	if (v)
		__sync_fetch_and_add(&v[i], 1);	/* refused: map-offset */
	return XDP_PASS;
}
