// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* too_long.c - more instructions than the card has room for, for each port. */
#define NO_LICENSE
#include "diff.h"

SEC("xdp") int too_long(struct xdp_md *ctx)
{
	__u64 x = bpf_get_prandom_u32();

#pragma unroll
	for (int i = 1; i < 600; i++)
		x = (x << 7 | x >> 57) ^ (x + i * 0x12345679ull);
	return x & 1 ? XDP_PASS : XDP_DROP;
}
