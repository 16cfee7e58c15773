// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* key_align.c - a key that is not aligned to 4 */
#include "../programs/diff.h"

MAP(m, HASH, 64, __u8, __u64);

SEC("xdp") int PROG(key_align, 60)
{
	struct {
		__u8 before[2], key;
	} __attribute__((packed)) x;

	x.key = P8(14);
	return bpf_map_lookup_elem(&m, &x.key) ? XDP_DROP : XDP_PASS;	/* refused: key-align */
}
