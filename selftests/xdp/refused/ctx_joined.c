// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ctx_joined.c - read 8 bytes of the context in C: the compiler joins two fields of 4 bytes */
#include "../programs/diff.h"

SEC("xdp") int ctx_joined(struct xdp_md *ctx)
{
	__u64 both = *(volatile __u64 *)&ctx->data;	/* refused: ctx-size */

	return both ? XDP_PASS : XDP_DROP;
}
