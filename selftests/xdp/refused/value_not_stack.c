// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value_not_stack.c - a map value that is passed from the packet */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(value_not_stack, 60)
{
	__u32 key = P8(14);

	bpf_map_update_elem(&m, &key, data + 26, BPF_ANY);	/* refused: key-not-stack */
	return XDP_PASS;
}
