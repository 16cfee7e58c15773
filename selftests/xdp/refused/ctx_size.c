// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ctx_size.c - access parts of fields of the context, two fields at once, and no field */
#include "../programs/diff.h"

/* Keep the compiler from making one access of two, or two of one. */
#define ACCESS(text)	asm volatile("r2 = 0\n" text : : "r"(ctx) : "r2", "memory")

SEC("xdp") int ctx_size(struct xdp_md *ctx)
{
	switch (bpf_get_prandom_u32() & 7) {
	case 0:
		ACCESS("r2 = *(u64 *)(%0 + 8)");	/* refused: ctx-size */
		break;
	case 1:
		ACCESS("r2 = *(u64 *)(%0 + 0)");	/* refused: ctx-size */
		break;
	case 2:
		ACCESS("r2 = *(u8 *)(%0 + 12)");	/* refused: ctx-size */
		break;
	case 3:
		ACCESS("r2 = *(u16 *)(%0 + 2)");	/* refused: ctx-size */
		break;
	case 4:
		ACCESS("r2 = *(u32 *)(%0 + 24)");	/* refused: ctx-size */
		break;
	case 5:
		ACCESS("*(u64 *)(%0 + 16) = r2");	/* refused: ctx-size */
		break;
	}
	return XDP_PASS;
}
