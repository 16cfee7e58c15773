// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_entries.c - two maps with more entries than the card has */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2000000);
	__type(key, __u32);
	__type(value, __u64);
} first SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 48001);
	__type(key, __u32);
	__type(value, __u64);
} second SEC(".maps");	/* refused whole: map-entries */

SEC("xdp")
int map_entries(struct xdp_md *ctx)
{
	return XDP_PASS;
}
