// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* metadata.c - access to the metadata before the packet */
#include "../programs/diff.h"

SEC("xdp") int metadata(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data;
	__u32 *meta = (void *)(long)ctx->data_meta;	/* refused: ctx-load */

	if ((void *)(meta + 1) > data)
		return XDP_PASS;
	return *meta ? XDP_PASS : XDP_DROP;	/* refused: pointer */
}
