// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bounds_missing.c - the packet is read without a comparison with its end */
#include "../programs/diff.h"

SEC("xdp") int bounds_missing(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;

	return P8(14) == 0x45 ? XDP_PASS : XDP_DROP;	/* refused: verifier */
}
