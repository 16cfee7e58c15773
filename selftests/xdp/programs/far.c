// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* far.c - a byte that may be anywhere in a packet, further than the card can reach. */
#include "diff.h"

SEC("xdp") int PROG(far, 60)
{
	__u32 at = P16(20) & 0xfff;

	HIDE(at);
	data += at;
	if (data + 1 > end)
		return XDP_PASS;
	return VERDICT(P8(0));
}
