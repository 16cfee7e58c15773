// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tail_values.c - a prog array that is filled by .values */
#include "../programs/diff.h"

SEC("xdp") int PROG(tail_values_next, 60)
{
	return P8(14) ? XDP_PASS : XDP_DROP;
}

/* refused whole: prog-array */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__array(values, int(struct xdp_md *ctx));
} tail_progs SEC(".maps") = { .values = { [1] = (void *)&tail_values_next } };

SEC("xdp") int PROG(tail_values, 60)
{
	bpf_tail_call(ctx, &tail_progs, 1);	/* refused: tail-call */
	return XDP_PASS;
}
