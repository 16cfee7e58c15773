// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jump.c - comparisons and loops */
#include "diff.h"

/* ---- jump32: each 32-bit comparison of registers, signed and not */
#define PROGRAM	jump32
#define U	__u32
#define S	__s32
#define P	P32
#include "jump.h"

/* ---- jump32_imm: 32-bit comparisons with constants */
#define PROGRAM	jump32_imm
#define U	__u32
#define S	__s32
#define P	P32
#include "jump_imm.h"

/* ---- jump64: each 64-bit comparison of registers, signed and not */
#define PROGRAM	jump64
#define U	__u64
#define S	__s64
#define P	P64
#include "jump.h"

/* ---- jump64_imm: 64-bit comparisons with constants */
#define PROGRAM	jump64_imm
#define U	__u64
#define S	__s64
#define P	P64
#define WIDE
#include "jump_imm.h"

/* ---- loop: a loop with a constant bound, and a loop that ends early */
SEC("xdp") int PROG(loop, 60)
{
	__u32 i, sum = 0, n;

	for (i = 0; i < 40; i++) {
		if (P8(14 + i) == 0xff)
			break;
		sum += P8(14 + i) << (i & 7);
		HIDE(sum);
	}
	n = i;
	for (i = 0; i < 8; i++) {
		sum = sum << 1 ^ sum >> 31 ^ n;
		HIDE(sum);
	}
	P32(56) = sum;
	return VERDICT(sum);
}
