// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_key_size.c - a key over the limit */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u8[60], __u8);	/* refused whole: map-key-size, map-elem-size */

SEC("xdp") int map_key_size(struct xdp_md *ctx) { return XDP_PASS; }
