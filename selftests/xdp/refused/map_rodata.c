// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_rodata.c - a constant that the loader may set */
#include "../programs/diff.h"

const volatile __u32 most = 100;	/* refused whole: map-global */

SEC("xdp") int map_rodata(struct xdp_md *ctx)
{
	return ctx->data_end - ctx->data > most ? XDP_DROP : XDP_PASS;
}
