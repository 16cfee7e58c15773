// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counter_update.c - counters that are set to a value from the packet */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(counter_update, 60)
{
	__u32 key = P32(26);
	__u64 was = P32(30), *v = bpf_map_lookup_elem(&m, &key);

	if (v) {
		__sync_fetch_and_add(v, 1);
		return XDP_PASS;
	}
	bpf_map_update_elem(&m, &key, &was, BPF_ANY);	/* refused: counter-update */
	return XDP_PASS;
}
