// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* move_signed_v4.c - a move with sign extension, which the JIT translates as a plain move */
#include "../programs/diff.h"

SEC("xdp") int PROG(move_signed_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("%0 = (s8)%0" : "+r"(x));	/* warns: sign-lost */
	return (long)x < 0 ? XDP_DROP : XDP_PASS;
}
