// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack.c - accesses to the stack */
#include "diff.h"

/* ---- stack32: accesses of each width to a stack of up to 32 bytes */
SEC("xdp") int PROG(stack32, 60)
{
	volatile __u64 a[2];
	volatile __u32 b[2];
	volatile __u16 c[2];
	volatile __u8 d[4];

	a[0] = P64(14);
	b[1] = P32(22);
	c[1] = P16(26);
	d[3] = P8(28);
	d[1] = P8(29);
	a[1] = a[0] + b[1];
	b[0] = c[1] ^ d[3];
	c[0] = d[1] + 7;
	P64(30) = a[1];
	P32(38) = b[0];
	P16(42) = c[0];
	return VERDICT(d[1]);
}

/* ---- stack64: accesses to a stack of up to 64 bytes */
SEC("xdp") int PROG(stack64, 60)
{
	volatile __u64 a[8];
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 8; i++)
		a[i] = P32(14 + i * 5) + ((__u64)i << 40);
#pragma unroll
	for (int i = 7; i >= 0; i--)
		sum = (sum << 3 | sum >> 61) ^ a[i];
	P64(40) = sum;
	return VERDICT(sum);
}

/* ---- stack512: accesses to all 512 bytes of stack */
SEC("xdp") int PROG(stack512, 60)
{
	volatile __u64 a[60];
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 60; i++)
		a[i] = P32(14 + i % 40) + ((__u64)i << 40);
#pragma unroll
	for (int i = 59; i >= 0; i--)
		sum = (sum << 3 | sum >> 61) ^ a[i];
	P64(40) = sum;
	return VERDICT(sum);
}

/* ---- stack_bytes: bytes and halfwords beyond 64 bytes of stack, read with other widths */
SEC("xdp") int PROG(stack_bytes, 120)
{
	union {
		volatile __u8 b[96];
		volatile __u16 h[48];
		volatile __u32 w[24];
		volatile __u64 d[12];
	} s;
	__u64 sum = 0;

#pragma unroll
	for (int i = 0; i < 96; i++)
		s.b[i] = P8(14 + i);
	s.h[1] = 0x1234;
	s.h[45] = P16(20);
	s.w[7] = P32(30);
	s.w[20] ^= 0xff;
	s.b[66] += 1;
#pragma unroll
	for (int i = 0; i < 12; i++)
		sum = (sum << 7 | sum >> 57) ^ s.d[i] ^ s.h[i * 4 + 1] ^ s.w[23 - i] ^ s.b[5 * i];
	P64(40) = sum;
	return VERDICT(sum);
}

/* ---- stack_either: an offset in the stack that depends on the path */
SEC("xdp") int PROG(stack_either, 60)
{
	volatile __u64 a[12];
	volatile __u32 *p;
	__u32 r;

#pragma unroll
	for (int i = 0; i < 12; i++)
		a[i] = P64(14 + i);
	p = (void *)&a[1];
	if (P8(30) & 1)
		p = (void *)&a[9];
	HIDE(p);
	*p += 0x10203;
	r = *p;
	p[1] = r;
	P64(32) = a[1];
	P64(40) = a[9];
	return VERDICT(r);
}

/* ---- stack_packed: words at unaligned offsets of the stack, across its 32-byte windows */
SEC("xdp") int PROG(stack_packed, 60)
{
	struct {
		__u8 x;
		__u32 a;
		__u64 b;
		__u16 c;
		__u64 d[9];
		__u32 e;
	} __attribute__((packed)) volatile s;

	s.x = P8(14);
	s.a = P32(15);
	s.b = P64(19);
	s.c = P16(27);
#pragma unroll
	for (int i = 0; i < 9; i++)
		s.d[i] = P32(14 + i) + s.b;
	s.e = s.a ^ s.c;
	P64(20) = s.d[0] ^ s.d[3] ^ s.d[8];
	P32(30) = s.e + s.x;
	P64(34) = s.b - s.d[4];
	return VERDICT(s.e);
}
