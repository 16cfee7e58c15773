// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_entries.c - two maps with more entries than the card has */
#include "../programs/diff.h"

MAP(first, HASH, 2000000, __u32, __u64);
MAP(second, HASH, 48001, __u32, __u64);	/* refused whole: map-entries */

SEC("xdp") int map_entries(struct xdp_md *ctx) { return XDP_PASS; }
