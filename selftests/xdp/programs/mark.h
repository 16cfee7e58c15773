/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* mark.h - a program that counts frames of one type, and writes MARK into them. */
#include "diff.h"

MAP(marked, ARRAY, 1, __u32, __u64);

SEC("xdp") int mark(struct xdp_md *ctx)
{
	__u32 zero = 0;
	__u64 *n;

	PACKET(ctx, 60);
	if (P16(12) != bpf_htons(0x88b5))
		return XDP_PASS;
	n = bpf_map_lookup_elem(&marked, &zero);
	if (n)
		__sync_fetch_and_add(n, 1);
	P8(14) = MARK;
	return MARKED;
}
