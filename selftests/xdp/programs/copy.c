// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* copy.c - copies within the packet, up to 128 bytes: aligned, unaligned, with odd lengths. */
#include "diff.h"

SEC("xdp") int PROG(copy, 250)
{
	COPY(__u8, 64, 0, 6);
	COPY(__u8, 80, 15, 17);
	COPY(__u16, 98, 14, 4);
	COPY(__u32, 106, 21, 3);
	COPY(__u8, 120, 20, 39);
	COPY(__u64, 161, 21, 5);
	COPY(__u8, 205, 64, 43);
	return XDP_PASS;
}
