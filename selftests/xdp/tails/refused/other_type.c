// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refused: program classify is in section "tc": only XDP programs can be linked
 * other_type.c - a program of tc in a slot
 */
#include "../chain.h"

int classify(struct __sk_buff *skb);
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, 4);
	__array(values, int (void *));
} jumps SEC(".maps") = { .values = { [1] = (void *)&classify } };

SEC("tc") int classify(struct __sk_buff *skb)
{
	return skb->mark;
}

STAGE(entry, 60)
{
	bpf_tail_call(ctx, &jumps, P8(16) & 1);
	return XDP_PASS;
}
