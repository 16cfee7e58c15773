// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ctx_store.c - set another end of the packet */
#include "../programs/diff.h"

SEC("xdp") int ctx_store(struct xdp_md *ctx)
{
	asm volatile("r2 = 0\n*(u32 *)(%0 + 4) = r2" : : "r"(ctx) : "r2", "memory");	/* refused: ctx-store */
	return XDP_PASS;
}
