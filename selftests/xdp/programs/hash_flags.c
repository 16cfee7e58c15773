// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hash_flags.c - updates with each flag, and deletes; return values go to the packet. */
#include "diff.h"

MAP(table, HASH, 5, __u32, __u32);

SEC("xdp") int PROG(hash_flags, 60)
{
	__u32 k = P8(14) & 7, v = P32(16);
	long r;

	if (P8(15) & 1)
		r = bpf_map_update_elem(&table, &k, &v, BPF_EXIST);
	else if (P8(15) & 2)
		r = bpf_map_update_elem(&table, &k, &v, BPF_NOEXIST);
	else if (P8(15) & 4)
		r = bpf_map_update_elem(&table, &k, &v, BPF_ANY);
	else
		r = bpf_map_delete_elem(&table, &k);
	P64(20) = r;
	return VERDICT(r);
}
