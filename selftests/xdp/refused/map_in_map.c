// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_in_map.c - a map of maps, which the card does not support. */
#include "../programs/diff.h"

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} inner SEC(".maps");

/* refused whole: map-type */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = { .values = { &inner } };

SEC("xdp") int map_in_map(struct xdp_md *ctx)
{
	void *map = value_0(&outer);
	__u64 *v = map ? value_0(map) : NULL;

	return v && *v ? XDP_PASS : XDP_DROP;
}
