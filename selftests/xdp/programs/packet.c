// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* packet.c - loads from the packet, stores to it, copies in it */
#include "diff.h"

/* ---- load8: 8-bit loads from the packet at each alignment */
#define PROGRAM	load8
#define P	P8
#include "load.h"

/* ---- load16: 16-bit loads from the packet at each alignment */
#define PROGRAM	load16
#define P	P16
#include "load.h"

/* ---- load32: 32-bit loads from the packet at each alignment */
#define PROGRAM	load32
#define P	P32
#include "load.h"

/* ---- load64: 64-bit loads from the packet at each alignment */
#define PROGRAM	load64
#define P	P64
#include "load.h"

/* ---- store: stores to the packet of each width, at each alignment */
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

/* ---- store_imm: stores of constants, byte by byte and whole */
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

/* ---- cache: overlapping loads, which the JIT combines into one read, and stores between them */
SEC("xdp") int PROG(cache, 80)
{
	__u64 sum = P32(14) + P16(16) + P8(19) + P64(20) + P32(27);

	P32(30) = sum;
	sum += P32(28) ^ P64(29);
	HIDE(sum);
	if (sum & 16)
		sum += P16(62) + P32(60);
	P64(40) = sum + P8(14);
	return VERDICT(sum);
}

/* ---- copy: copies within the packet, up to 128 bytes: aligned, unaligned, with odd lengths */
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

/* ---- copy_long: a copy of 128 bytes, the most that one command can move */
SEC("xdp") int PROG(copy_long, 300)
{
	COPY(__u64, 150, 14, 16);
	return XDP_TX;
}

/* ---- bounds: packet bounds by unsigned and signed checks of an offset */
SEC("xdp") int PROG(bounds, 60)
{
	__u32 r = 0;
	__s32 off = (__s8)P8(14);

	if (off < 0 || off > 40)
		return XDP_DROP;
	if (data + off + 8 <= end)
		r = P32(off + 4);
	off = P8(15);
	if (off > 3 && off < 120 && data + off + 1 <= end)
		r += P8(off);
	P32(20) = r;
	return VERDICT(r);
}

/* ---- variable: loads and stores at offsets from the packet */
SEC("xdp") int PROG(variable, 60)
{
	void *from = data + 16 + (P8(14) & 31), *to = data + 20 + (P8(15) & 15);

	if (from + 12 > end || to + 24 > end)
		return XDP_DROP;
	*(__u32 *)(to + 8) = *(__u32 *)from;
	*(__u8 *)(from + 1) += 3;
	*(__u16 *)to = *(__u16 *)(from + 5);
	*(__u64 *)(to + 13) = *(__u64 *)(from + 4);
	return VERDICT(*(__u8 *)(from + 2));
}

/* ---- far: read a byte at a variable offset, which may be beyond the reach of programs */
SEC("xdp") int PROG(far, 60)
{
	__u32 at = P16(20) & 0xfff;

	HIDE(at);
	data += at;
	if (data + 1 > end)
		return XDP_PASS;
	return VERDICT(P8(0));
}
