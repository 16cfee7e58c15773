// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_bytes.c - bytes and halfwords beyond 64 bytes of stack, read with other widths. */
#include "diff.h"

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
