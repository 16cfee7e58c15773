// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* variable.c - loads and stores at offsets from the packet. */
#include "diff.h"

SEC("xdp") int PROG(variable, 60)
{
	void *from = data + 16 + (P8(14) & 31), *to = data + 20 + (P8(15) & 15);

	if (from + 12 > end || to + 24 > end)
		return XDP_DROP;
	*(__u32 *)(to + 8) = *(__u32 *)from;
	*(__u8 *)(from + 1) += 3;
	*(__u16 *)to = *(__u16 *)(from + 5);
	*(__u64 *)(to + 13) = *(__u64 *)(from + 4);
	return VERDICT(*(__u8 *)(from + 2));
}
