// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* two_maps.c - keep a key in a register during a call, and a value during another. */
#include "diff.h"

MAP(in_first, HASH, 10, __u32, __u32);
MAP(in_second, ARRAY, 12, __u32, __u32);

SEC("xdp") int PROG(two_maps, 60)
{
	__u32 r = 0, k = P8(14) & 15, *v = bpf_map_lookup_elem(&in_first, &k);
	__u32 j = v ? *v & 15 : k, *u = bpf_map_lookup_elem(&in_second, &j);

	if (v && u)
		r = *v + *u + k;
	P32(20) = r;
	return VERDICT(r);
}
