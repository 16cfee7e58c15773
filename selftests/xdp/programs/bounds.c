// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bounds.c - packet bounds by unsigned and signed checks of an offset. */
#include "diff.h"

SEC("xdp") int PROG(bounds, 60)
{
	__u32 r = 0;
	__s32 off = (__s8)P8(14);

	if (off < 0 || off > 40)
		return XDP_DROP;
	if (data + off + 8 <= end)
		r = P32(off + 4);
	off = P8(15);
	if (off > 3 && off < 120 && data + off + 1 <= end)
		r += P8(off);
	P32(20) = r;
	return VERDICT(r);
}
