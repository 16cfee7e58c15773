// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_copy_last.c - the value of the register after a copy (KNOWN.rst) */
#include "diff.h"

#define MOVE(r, type, from, to) \
	asm volatile("%0 = *(" type " *)(%1 + " #from "); *(" type " *)(%1 + " #to ") = %0" \
		     : "+r"(r) : "r"(data) : "memory")

SEC("xdp") int PROG(known_copy_last, 60)
{
	__u64 w = 0, h = 0, b = 0;

	MOVE(w, "u32", 14, 24);
	MOVE(w, "u32", 18, 28);
	P64(32) = w;
	MOVE(h, "u16", 16, 26);
	MOVE(h, "u16", 14, 24);
	P64(40) = h;
	MOVE(b, "u8", 15, 29);
	MOVE(b, "u8", 14, 28);
	P64(48) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P32(24) = P32(14);
	P32(28) = P32(18);
	P64(32) = P32(14);
	P32(24) = P32(14);
	P64(40) = P16(16);
	P16(28) = P16(14);
	P64(48) = P8(15);
	return XDP_PASS;
}
