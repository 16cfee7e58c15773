// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* byte_swap.c - a conversion to little endian, which compilers leave out */
#include "../programs/diff.h"

SEC("xdp") int PROG(byte_swap, 60)
{
	__u64 x = P32(14);

	asm volatile("%0 = le16 %0" : "+r"(x));	/* refused: byte-swap */
	return x & 1 ? XDP_DROP : XDP_PASS;
}
