// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* arith.c - operations that the driver refuses, or translates wrongly */
#include "../programs/diff.h"

/* ---- div_negative: a negative divisor */
SEC("xdp") int PROG(div_negative, 60)
{
	__u64 x = P32(28);

	asm volatile("%0 /= -7" : "+r"(x));	/* refused: div-negative */
	P32(20) = x;
	return XDP_TX;
}

/* ---- div_one: a division by 1, which the JIT translates wrongly */
SEC("xdp") int PROG(div_one, 60)
{
	__u64 x = P32(20);

	asm volatile("%0 /= 1" : "+r"(x));	/* warns: div-one */
	P32(20) = x;
	return XDP_TX;
}

/* ---- div_paths: a divisor that is another constant on each path; the verifier follows one path */
SEC("xdp") int PROG(div_paths, 60)
{
	__u64 x = P32(28), by = 3;

	if (P8(14) & 1)
		by = 7;
	HIDE(by);
	asm volatile("%0 /= %1" : "+r"(x) : "r"(by));	/* warns: pruned */
	P32(20) = x;
	return XDP_TX;
}

/* ---- div_range: a dividend of 64 bits */
SEC("xdp") int PROG(div_range, 60)
{
	P64(20) = P64(28) / 1000;	/* refused: div-range */
	return XDP_TX;
}

/* ---- div_upper: a 32-bit quotient used as 64 bits, with a loaded and with a moved dividend */
SEC("xdp") int PROG(div_upper, 60)
{
	__u64 x = P64(20), y = P64(28);

	asm volatile("r1 = %0; w1 += 1; w1 /= 10; %0 = r1" : "+r"(x) : : "r1"); /* warns: div-upper */
	asm volatile("r1 = %0; w1 = w1; w1 /= 10; %0 = r1" : "+r"(y) : : "r1");
	P64(20) = x + y;
	return XDP_TX;
}

/* ---- div_variable: a divisor from the packet */
SEC("xdp") int PROG(div_variable, 60)
{
	P32(20) = P32(28) / P32(32);	/* refused: div-variable */
	return XDP_TX;
}

/* ---- div_zero: a divisor that is always 0: the driver divides by it */
SEC("xdp") int PROG(div_zero, 60)
{
	__u64 x = P32(28), by = 0;

	asm volatile("%0 /= %1" : "+r"(x) : "r"(by));	/* refused: div-zero */
	P32(20) = x;
	return XDP_TX;
}

/* ---- divide_signed_v4: a signed division, which the JIT translates as an unsigned one */
SEC("xdp") int PROG(divide_signed_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("%0 s/= 10" : "+r"(x));	/* warns: sign-lost */
	return x > 9 ? XDP_DROP : XDP_PASS;
}

/* ---- modulo: a remainder */
SEC("xdp") int PROG(modulo, 60)
{
	return P32(26) % 10 ? XDP_PASS : XDP_DROP;	/* refused: modulo */
}

/* ---- mul_negative: a negative factor of 64 bits */
SEC("xdp") int PROG(mul_negative, 60)
{
	__u64 x = P32(14);

	asm volatile("%0 *= -3" : "+r"(x));	/* refused: mul-range */
	P64(20) = x;
	return XDP_TX;
}

/* ---- mul_quotient: a factor that is a quotient: the verifier knows no bounds of it */
SEC("xdp") int PROG(mul_quotient, 60)
{
	__u32 x = P32(14) / 10;

	HIDE(x);
	P32(20) = x * P8(18);	/* refused: mul-range */
	return XDP_TX;
}

/* ---- mul_range: a factor of 64 bits */
SEC("xdp") int PROG(mul_range, 60)
{
	P64(20) = P64(28) * P8(14);	/* refused: mul-range */
	return XDP_TX;
}

/* ---- shift: a shift of 32 bits by 40 */
SEC("xdp") int PROG(shift, 60)
{
	__u32 x = P32(28), by = 40;

	asm volatile("%0 <<= %1" : "+w"(x) : "w"(by));	/* refused: shift */
	P32(20) = x;
	return XDP_TX;
}

/* ---- move_signed_v4: a move with sign extension, which the JIT translates as a plain move */
SEC("xdp") int PROG(move_signed_v4, 60)
{
	__u64 x = P8(14);

	asm volatile("%0 = (s8)%0" : "+r"(x));	/* warns: sign-lost */
	return (long)x < 0 ? XDP_DROP : XDP_PASS;
}

/* ---- load_signed_v4: a load that extends the sign */
SEC("xdp") int PROG(load_signed_v4, 60)
{
	long x = *(volatile __s8 *)(data + 14);	/* refused: newer-cpu */

	return x < -5 ? XDP_DROP : XDP_PASS;
}

/* ---- byte_swap: a conversion to little endian, which compilers leave out */
SEC("xdp") int PROG(byte_swap, 60)
{
	__u64 x = P32(14);

	asm volatile("%0 = le16 %0" : "+r"(x));	/* refused: byte-swap */
	return x & 1 ? XDP_DROP : XDP_PASS;
}

/* ---- swap_v4: an unconditional byte swap */
SEC("xdp") int PROG(swap_v4, 60)
{
	P32(20) = __builtin_bswap32(P32(24));	/* refused: newer-cpu */
	return XDP_TX;
}
