// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_hash.c - count in entries of a hash map, and delete some of them. */
#include "diff.h"

MAP(in_counts, HASH, 12, __u32, __u64);

SEC("xdp") int PROG(atomic_hash, 60)
{
	__u32 k = P8(14) & 15;
	__u64 *v = bpf_map_lookup_elem(&in_counts, &k);

	if (!v)
		return XDP_DROP;
	__sync_fetch_and_add(v, P32(18));
	__sync_fetch_and_add(v, 1);
	if (P8(15) < 0x10)
		bpf_map_delete_elem(&in_counts, &k);
	return XDP_PASS;
}
