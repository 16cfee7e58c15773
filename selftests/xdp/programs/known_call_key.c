// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_call_key.c - a key in the caller's frame, as deep in it as the function's own
 * frame is. The JIT takes it for one at the end of the function's frame, where
 * the return address is (jit.c, map_call_stack_common()).
 */
#include "diff.h"

MAP(in_table, HASH, 8, __u32, __u32);

static __noinline int found(__u32 *key)
{
	return key && bpf_map_lookup_elem(&in_table, key);
}

SEC("xdp") int PROG(known_call_key, 60)
{
	__u32 key = P8(14) & 7;

	return found(&key) ? XDP_PASS : XDP_DROP;
}

SEC("card") int PROG(in_card, 60) { return XDP_DROP; }
