// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tail_call.c - a tail call to another program */
#include "../programs/diff.h"

MAP(programs, PROG_ARRAY, 2, __u32, __u32);	/* refused whole: prog-array */

SEC("xdp") int tail_call(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &programs, 1);	/* refused: tail-call */
	return XDP_PASS;
}
