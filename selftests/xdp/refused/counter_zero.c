// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counter_zero.c - counters that are created with 0, which the driver does not notice */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(counter_zero, 60)
{
	__u32 key = P32(26);
	__u64 zero = 0, *v = bpf_map_lookup_elem(&m, &key);

	if (!v) {
		bpf_map_update_elem(&m, &key, &zero, BPF_ANY);
		v = bpf_map_lookup_elem(&m, &key);
	}
	if (v)
		__sync_fetch_and_add(v, 1);	/* refused: counter-nonzero */
	return XDP_PASS;
}
