// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* argument_map.c - a global function with a map as argument, in an object without maps */
#include "../programs/diff.h"

struct map {
	int type;
};

__noinline int has(struct map *map)	/* unknown: unknown */
{
	__u32 key = 0;

	return map && bpf_map_lookup_elem(map, &key) ? 1 : 0;
}

SEC("xdp") int argument_map(struct xdp_md *ctx)
{
	struct map none = { 0 };

	return has(&none) ? XDP_DROP : XDP_PASS;
}
