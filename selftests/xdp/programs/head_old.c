// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* head_old.c - after a move of the start, use old packet pointers: they are plain numbers. */
#include "diff.h"

SEC("xdp") int PROG(head_old, 60)
{
	void *was = data, *was_end = end;
	__u32 r;

	HIDE(was);
	HIDE(was_end);
	if (bpf_xdp_adjust_head(ctx, 4))
		return XDP_DROP;
	PACKET_AGAIN(ctx, 56, XDP_ABORTED);
	if (was + 61 > was_end)
		P8(13) = 1;
	r = was_end - was;
	P32(14) = r;
	return VERDICT(r);
}
