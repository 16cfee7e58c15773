// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* null_equal.c - a pointer to a map value that is not NULL because it equals one that is not */
#include "diff.h"

MAP(in_equal, ARRAY, 4, __u32, __u32);

SEC("xdp") int PROG(null_equal, 60)
{
	__u32 k = P8(14) & 3, j = P8(15) & 3, *v, *u, r = 7;

	v = bpf_map_lookup_elem(&in_equal, &k);
	if (!v)
		return XDP_DROP;
	u = bpf_map_lookup_elem(&in_equal, &j);
	/* Assembly, because the compiler would use the pointer that was compared with NULL. */
	asm volatile("if %[u] != %[v] goto +1; %[r] = *(u32 *)(%[u] + 0)"
		     : [r] "+r"(r) : [u] "r"(u), [v] "r"(v));
	P32(20) = r;
	return VERDICT(r);
}
