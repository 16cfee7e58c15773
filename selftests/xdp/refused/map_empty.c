// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_empty.c - a map without entries */
#include "../programs/diff.h"

MAP(m, HASH, 0, __u32, __u64);	/* refused whole: map-empty */

SEC("xdp") int map_empty(struct xdp_md *ctx) { return XDP_PASS; }
