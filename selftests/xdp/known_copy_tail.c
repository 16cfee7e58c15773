// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * known_copy_tail.c - a copy of 43 bytes to byte 240: the stock JIT keeps the offset of its last bytes in 8 bits (jit.c, nfp_cpp_memcpy(): new_off), and they go to the beginning.
 */
#include "diff.h"

SEC("xdp")
int known_copy_tail(struct xdp_md *ctx)
{
	PACKET(ctx, 300);
	COPY(__u8, 220, 15, 43);
	return XDP_PASS;
}
