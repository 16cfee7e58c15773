// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* alu_imm.c - constants of all sizes with each operation. */
#include "diff.h"

SEC("xdp") int PROG(alu_imm, 60)
{
	__u64 a = P64(14);
	__u32 b = P32(22);

#define STEP(x, op, k) do { x op (k); HIDE(x); } while (0)
	STEP(a, +=, 1);
	STEP(a, -=, 0x7fffffff);
	STEP(a, ^=, 0x1234);
	STEP(a, +=, 0x12345678);
	STEP(a, |=, 0x10001);
	STEP(a, &=, ~0x100l);
	STEP(a, +=, -1);
	STEP(a, +=, 0x123456789abcdef0);
	STEP(a, -=, 0xff);
	STEP(a, ^=, -2);
	STEP(b, +=, 0xffff0000);
	STEP(b, -=, 0x8000);
	STEP(b, &=, 0xff00ff0f);
	STEP(b, |=, 0xabcd);
	STEP(b, ^=, 0xffffffff);
	STEP(b, +=, 200);
	P64(30) = a;
	P32(38) = b;
	return VERDICT(a ^ b);
}
