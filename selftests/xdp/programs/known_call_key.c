// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_call_key.c - a function looks up a key in its caller's frame (KNOWN.rst) */
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
