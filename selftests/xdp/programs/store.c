// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* store.c - stores to the packet of each width, at each alignment. */
#include "diff.h"

SEC("xdp") int PROG(store, 128)
{
	__u64 v = P64(14);

	P8(24) = v + 24;
	P8(26) = v + 26;
	P8(28) = v + 28;
	P8(30) = v + 30;
	P16(32) = v + 32;
	P16(35) = v + 35;
	P16(38) = v + 38;
	P16(41) = v + 41;
	P32(44) = v + 44;
	P32(49) = v + 49;
	P32(54) = v + 54;
	P32(59) = v + 59;
	P64(64) = v + 64;
	P64(73) = v + 73;
	P64(82) = v + 82;
	P64(91) = v + 91;
	return VERDICT(v);
}
