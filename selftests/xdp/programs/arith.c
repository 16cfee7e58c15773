// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* arith.c - arithmetic, shifts, byte swaps */
#include "diff.h"

/* ---- alu32: 32-bit arithmetic and logic, results zero-extended */
SEC("xdp") int PROG(alu32, 60)
{
	__u32 a = P32(14), b = P32(18), r;

	P64(24) = HIDDEN(a + b);
	P64(32) = HIDDEN(a - b);
	r = HIDDEN((a & b) ^ (a | ~b));
	P64(40) = HIDDEN(-r);
	r = HIDDEN(a ^ 0x80000001);
	P32(48) = r;
	return VERDICT(r);
}

/* ---- alu64: 64-bit arithmetic and logic: carries and borrows between the halves */
SEC("xdp") int PROG(alu64, 60)
{
	__u64 a = P64(14), b = P64(22), r;

	P64(30) = HIDDEN(a + b);
	P64(38) = HIDDEN(a - b);
	r = HIDDEN((a & b) ^ (a | ~b));
	r = HIDDEN(-r);
	P64(46) = r;
	return VERDICT(r >> 33);
}

/* ---- alu_imm: constants of all sizes with each operation */
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

/* ---- mul32: multiplication of 32, 16 and 8-bit numbers, by each other and by constants */
SEC("xdp") int PROG(mul32, 128)
{
	__u32 a = P32(14), b = P32(18);
	__u64 r;

	P64(22) = (__u64)a * b;
	P64(30) = (__u64)P16(14) * P16(18);
	P64(38) = (__u64)P8(14) * P8(18);
	P64(46) = (__u64)a * 0xffffffff;
	P64(54) = (__u64)a * 1000;
	P64(62) = (__u64)P16(16) * 0xfff1;
	r = (__u64)a * P8(30);
	P64(70) = r;
	P32(78) = HIDDEN(a * b);
	P32(82) = HIDDEN(P32(14) * 77);
	return VERDICT(r);
}

/* ---- div32: division by constants, with and without post-shift and increment */
SEC("xdp") int PROG(div32, 128)
{
	static const __u32 by[] = {
		2, 3, 5, 7, 10, 13, 28, 60, 100, 641, 1000, 4096, 65535, 65537, 1000000007,
		2147483648, 4294967295,
	};
	__u32 a;

#pragma unroll
	for (int i = 0; i < 17; i++)
		P32(18 + 4 * i) = a = HIDDEN(P32(14) / by[i]);
	return VERDICT(a);
}

/* ---- div64: 64-bit divisions of numbers that fit into 32 bits */
SEC("xdp") int PROG(div64, 128)
{
	static const __u64 by[] = { 3, 7, 10, 28, 100, 641, 1000 };
	__u64 a;

#pragma unroll
	for (int i = 0; i < 7; i++) {
		a = P32(14);
		/* clang does not see that 32 bits would do, the JIT does. */
		asm volatile("%0 <<= 32; %0 >>= 32" : "+r"(a));
		P64(18 + 8 * i) = a = HIDDEN(a / by[i]);
	}
	return VERDICT(a);
}

/* ---- shift32_imm: 32-bit shifts by constants */
SEC("xdp") int PROG(shift32_imm, 250)
{
	static const int by[] = { 1, 7, 8, 16, 31 };
	__u32 a;

#pragma unroll
	for (int i = 0; i < 5; i++)
		a = SHIFTS(32, P32(14), by[i], 22 + 12 * i, 4);
	return VERDICT(a);
}

/* ---- shift32_reg: 32-bit shifts by amounts from the packet */
SEC("xdp") int PROG(shift32_reg, 60)
{
	__u32 a = P32(14), n = P8(22) & 31, r;

	HIDE(n);
	n &= 31;
	r = SHIFTS(32, a, n, 24, 8);
	return VERDICT(r);
}

/* ---- shift64_imm: 64-bit shifts by constants */
SEC("xdp") int PROG(shift64_imm, 250)
{
	static const int by[] = { 1, 8, 31, 32, 33, 40, 63 };
	__u64 a;

#pragma unroll
	for (int i = 0; i < 7; i++)
		a = SHIFTS(64, P64(14), by[i], 22 + 24 * i, 8);
	return VERDICT(a);
}

/* ---- shift64_reg: 64-bit shifts by amounts from the packet */
SEC("xdp") int PROG(shift64_reg, 60)
{
	__u64 a = P64(14), n = P8(22) & 63, r;

	HIDE(n);
	n &= 63;
	r = SHIFTS(64, a, n, 24, 8);
	return VERDICT(r);
}

/* ---- swap: byte swaps of 16, 32 and 64 bits */
SEC("xdp") int PROG(swap, 60)
{
	P16(14) = bpf_htons(P16(14));
	P32(17) = bpf_htonl(P32(17));
	P64(23) = bpf_cpu_to_be64(P64(23));
	P64(33) = bpf_htons(P64(33));
	P64(43) = bpf_htonl(P64(43));
	return VERDICT(bpf_htonl(P32(50)));
}
