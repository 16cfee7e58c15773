// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_call_byte.c - a function reads and writes bytes of its caller's stack (KNOWN.rst) */
#include "diff.h"

static __noinline int byte(__u8 *p)
{
	if (!p)
		return 0;
	p[7] = 0x77;
	return p[3];
}

SEC("xdp") int PROG(known_call_byte, 60)
{
	__u64 a[2];

	a[0] = P64(14);
	a[1] = P64(22);
	P32(30) = byte((__u8 *)a);
	P64(36) = a[0];
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P32(30) = P8(15);
	P64(36) = P64(14);
	return XDP_PASS;
}
