// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* key_not_stack.c - a key that is passed from the packet */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u32, __u64);

SEC("xdp") int PROG(key_not_stack, 60)
{
	return bpf_map_lookup_elem(&m, data + 26) ? XDP_DROP : XDP_PASS;	/* refused: key-not-stack */
}
