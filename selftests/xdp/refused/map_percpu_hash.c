// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_percpu_hash.c - a per-CPU hash map that no program uses */
#include "../programs/diff.h"

MAP(m, PERCPU_HASH, 64, __u32, __u64);	/* refused whole: map-percpu */

SEC("xdp") int map_percpu_hash(struct xdp_md *ctx) { return XDP_PASS; }
