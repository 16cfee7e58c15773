// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_elem_size.c - key and value together over the limit */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u8[40], __u8[40]);	/* refused whole: map-elem-size */

SEC("xdp") int map_elem_size(struct xdp_md *ctx) { return XDP_PASS; }
