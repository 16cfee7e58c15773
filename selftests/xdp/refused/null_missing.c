// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* null_missing.c - a value is read without a look whether it is there */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} m SEC(".maps");

SEC("xdp")
int null_missing(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&m, &key);

	return *v ? XDP_PASS : XDP_DROP;	/* refused: verifier */
}
