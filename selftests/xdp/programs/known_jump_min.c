// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_jump_min.c - comparisons with -2^31 (KNOWN.rst: imm_min) */
#include "diff.h"

/* Whether a jump is taken. */
#define IS(cond, reg, v) ({ \
		__u64 is_ = 1; \
		asm volatile("if " cond " goto +1; %0 = 0" : "+r"(is_) : reg(v)); \
		is_; \
	})

SEC("xdp") int PROG(known_jump_min, 60)
{
	__u64 v = P64(14);

	P32(24) = IS("%1 s>= -2147483648", "r", v);
	P32(28) = IS("%1 s< -2147483648", "r", v);
	P32(32) = IS("%1 >= -2147483648", "r", v);
	P32(36) = IS("%1 < -2147483648", "r", v);
	P32(40) = IS("%1 s< -2147483648", "w", (__u32)v);
	P32(44) = IS("%1 >= -2147483648", "w", (__u32)v);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 v = P64(14);

	/* v - 2^31, with the carry and the overflow of an addition */
	P32(24) = (__s64)v >= 0x80000000LL;
	P32(28) = (__s64)v < 0x80000000LL;
	P32(32) = v >= 0x80000000;
	P32(36) = v < 0x80000000;
	P32(40) = 1;
	P32(44) = (__u32)v >= 0x80000000;
	return XDP_PASS;
}
