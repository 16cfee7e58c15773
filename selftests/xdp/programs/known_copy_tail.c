// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_copy_tail.c - a copy of 43 bytes to byte 220 (KNOWN.rst) */
#include "diff.h"

SEC("xdp") int PROG(known_copy_tail, 300)
{
	COPY(__u8, 220, 15, 43);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 300)
{
	COPY(__u8, 220, 15, 40);
	COPY(__u8, 4, 55, 3);
	return XDP_PASS;
}
