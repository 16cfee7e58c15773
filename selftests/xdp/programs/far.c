// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* far.c - read a byte at a variable offset, which may be beyond the reach of programs. */
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
