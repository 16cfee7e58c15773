// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* store_imm.c - stores of constants, byte by byte and whole. */
#include "diff.h"

SEC("xdp") int PROG(store_imm, 60)
{
	P8(14) = 0;
	P16(15) = 0x1234;
	P32(17) = 0xdeadbeef;
	P64(21) = 0x0123456789abcdef;
	P64(30) = 0;
	P64(39) = -1;
	return XDP_TX;
}
