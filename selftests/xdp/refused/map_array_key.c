// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_array_key.c - an array with a long key */
#include "../programs/diff.h"

MAP(m, ARRAY, 64, __u64, __u64);	/* refused whole: map-array-key */

SEC("xdp") int map_array_key(struct xdp_md *ctx) { return XDP_PASS; }
