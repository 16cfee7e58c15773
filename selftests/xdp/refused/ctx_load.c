// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ctx_load.c - read the number of the interface */
#include "../programs/diff.h"

SEC("xdp") int ctx_load(struct xdp_md *ctx)
{
	return ctx->ingress_ifindex == 2 ? XDP_PASS : XDP_DROP;	/* refused: ctx-load */
}
