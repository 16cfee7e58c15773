// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tail_call.c - on to another program */
#include "../programs/diff.h"

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} programs SEC(".maps");	/* refused whole: map-type */

SEC("xdp")
int tail_call(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &programs, 1);	/* refused: tail-call */
	return XDP_PASS;
}
