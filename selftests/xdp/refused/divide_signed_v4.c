// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* divide_signed_v4.c - a signed division, which the JIT translates as an unsigned one */
#include "../programs/diff.h"

SEC("xdp") int PROG(divide_signed_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("%0 s/= 10" : "+r"(x));	/* warns: sign-lost */
	return x > 9 ? XDP_DROP : XDP_PASS;
}
