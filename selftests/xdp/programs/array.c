// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* array.c - read values of an array map; the index may be out of range. */
#include "diff.h"

MAP(in_array, ARRAY, 20, __u32, __u64[3]);

SEC("xdp") int PROG(array, 60)
{
	__u32 key = P8(14) & 31;
	__u64 *v = bpf_map_lookup_elem(&in_array, &key);

	if (!v)
		return XDP_DROP;
	P64(20) = v[0];
	P32(28) = *(__u32 *)((void *)v + 6);
	P8(32) = *((__u8 *)v + 23);
	P16(34) = *(__u16 *)((void *)v + 17);
	return VERDICT(v[1]);
}
