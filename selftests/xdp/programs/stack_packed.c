// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_packed.c - words at unaligned offsets of the stack, across its 32-byte windows. */
#include "diff.h"

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
