// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_value_size.c - a value over the limit */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u8, __u8[60]);	/* refused whole: map-value-size, map-elem-size */

SEC("xdp") int map_value_size(struct xdp_md *ctx) { return XDP_PASS; }
