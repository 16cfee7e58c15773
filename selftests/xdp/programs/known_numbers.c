// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* known_numbers.c - known bugs with numbers (KNOWN.rst) */
#include "diff.h"

/* ---- known_add_min: -2^31 is added and subtracted (KNOWN.rst: imm_min) */
SEC("xdp") int PROG(known_add_min, 60)
{
	__u64 a = P64(14), b = a;

	asm volatile("%0 += -2147483648" : "+r"(a));
	asm volatile("%0 -= -2147483648" : "+r"(b));
	P64(24) = a;
	P64(32) = b;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14);

	P64(24) = a + 0x80000000;
	P64(32) = a - 0x80000000;
	return XDP_PASS;
}

/* ---- known_jump_min: comparisons with -2^31 (KNOWN.rst: imm_min) */
/* Whether a jump is taken. */
#define IS(cond, reg, v) ({ \
		__u64 is_ = 1; \
		asm volatile("if " cond " goto +1; %0 = 0" : "+r"(is_) : reg(v)); \
		is_; \
	})

SEC("xdp") int PROG(known_jump_min, 60)
{
	__u64 v = P64(14);

	P32(24) = IS("%1 s>= -2147483648", "r", v);
	P32(28) = IS("%1 s< -2147483648", "r", v);
	P32(32) = IS("%1 >= -2147483648", "r", v);
	P32(36) = IS("%1 < -2147483648", "r", v);
	P32(40) = IS("%1 s< -2147483648", "w", (__u32)v);
	P32(44) = IS("%1 >= -2147483648", "w", (__u32)v);
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 v = P64(14);

	/* v - 2^31, with the carry and the overflow of an addition */
	P32(24) = (__s64)v >= 0x80000000LL;
	P32(28) = (__s64)v < 0x80000000LL;
	P32(32) = v >= 0x80000000;
	P32(36) = v < 0x80000000;
	P32(40) = 1;
	P32(44) = (__u32)v >= 0x80000000;
	return XDP_PASS;
}

/* ---- known_div_one: a division by 1 (KNOWN.rst) */
SEC("xdp") int PROG(known_div_one, 60)
{
	__u32 a = P32(14);

	asm volatile("%0 += 3; %0 /= 1" : "+w"(a));
	P32(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 a = P32(14);

	P32(24) = (a + 3) >> (a & 31);
	return XDP_PASS;
}

/* ---- known_div_upper: the upper half after a 32-bit division (KNOWN.rst) */
SEC("xdp") int PROG(known_div_upper, 60)
{
	__u64 a = P64(14);

	asm volatile("r1 = %0; w1 ^= 1; w1 /= 3; %0 = r1" : "+r"(a) : : "r1");
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14);
	__u32 low = (__u32)a ^ 1;

	P64(24) = (a >> 32 << 32) | low / 3;
	return XDP_PASS;
}

/* ---- known_shift_64: 64-bit shifts by 64 and more (KNOWN.rst) */
SEC("xdp") int PROG(known_shift_64, 60)
{
	__u64 a = P64(14), n = (P8(22) & 31) + 64, r = a;

	asm volatile("%0 <<= %1" : "+r"(r) : "r"(n));
	P64(24) = r;
	r = a;
	asm volatile("%0 >>= %1" : "+r"(r) : "r"(n));
	P64(32) = r;
	r = a;
	asm volatile("%0 s>>= %1" : "+r"(r) : "r"(n));
	P64(40) = r;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P64(14), n = (P8(22) & 31) + 32;

	P64(24) = a << n;
	P64(32) = a >> n;
	P64(40) = (__s64)a >> n;
	return XDP_PASS;
}

/* ---- known_ashr_sign: arithmetic shifts by amounts with bit 31 set (KNOWN.rst) */
SEC("xdp") int PROG(known_ashr_sign, 60)
{
	__u32 a = P32(14), n = P8(18) | 0x80000000;

	asm volatile("%0 s>>= %1" : "+w"(a) : "w"(n));
	P32(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u32 a = P32(14), n = P8(18) & 31;

	P32(24) = a >> n | ~(0xffffffff >> n);
	return XDP_PASS;
}

/* ---- known_pruned_shift: a shift by 5 or by an amount from the packet (KNOWN.rst: pruned) */
SEC("xdp") int PROG(known_pruned_shift, 60)
{
	__u64 a = P64(14), n = P8(22) & 31;

	asm volatile("if %0 & 1 goto +1; %0 = 5" : "+r"(n));
	asm volatile("%0 <<= %1" : "+r"(a) : "r"(n));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P64(14) << 5;
	return XDP_PASS;
}

/* ---- known_pruned_mul: a factor of 16 bits on one path, 32 bits on another (KNOWN.rst: pruned) */
SEC("xdp") int PROG(known_pruned_mul, 60)
{
	__u64 a = P32(14), b = P16(18);

	asm volatile("if %1 & 1 goto +1; %0 = 5; %0 *= %1" : "+r"(a) : "r"(b));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P32(14), b = P16(18);

	if (!(b & 1))
		a = 5;
	P64(24) = (a & 0xffff) * b;
	return XDP_PASS;
}

/* ---- known_pruned_call: known_pruned_mul with the paths in a function (KNOWN.rst: pruned) */
static __noinline __u64 either(__u64 a, __u64 b)
{
	asm volatile("if %1 & 1 goto +1; %0 = 5" : "+r"(a) : "r"(b));
	/* The verifier compares states only if eight instructions have passed since the last. */
	asm volatile(".rept 8; %0 = %0; .endr" : "+r"(a));
	return a;
}

SEC("xdp") int PROG(known_pruned_call, 60)
{
	__u64 b = P16(18), a = either(P32(14), b);

	asm volatile("%0 *= %1" : "+r"(a) : "r"(b));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	__u64 a = P32(14), b = P16(18);

	if (!(b & 1))
		a = 5;
	P64(24) = (a & 0xffff) * b;
	return XDP_PASS;
}

/* ---- known_pruned_count: add 16 bits on one path, 32 bits on another (KNOWN.rst: pruned) */
MAP(counts, ARRAY, 1, __u32, __u64);

SEC("xdp") int known_pruned_count(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v, n;

	PACKET(ctx, 60);
	v = bpf_map_lookup_elem(&counts, &key);
	if (!v)
		return XDP_DROP;
	/* The verifier compares states only if some jumps have passed since the last comparison. */
	PACKET_AGAIN(ctx, 60, XDP_DROP);
	P8(20) += P8(21) > 3;
	n = P32(14);
	asm volatile("if %0 & 1 goto +1; %0 = 5; lock *(u64 *)(%1 + 0) += %0"
		     : "+r"(n) : "r"(v) : "memory");
	return XDP_PASS;
}

SEC("card") int in_card(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u64 *v, n;

	PACKET(ctx, 60);
	n = P16(14);
	v = bpf_map_lookup_elem(&counts, &key);
	P8(20) += P8(21) > 3;
	if (v)
		__sync_fetch_and_add(v, n & 1 ? n : 5);
	return XDP_PASS;
}

/* ---- known_movsx: a sign-extending move, of BPF version 4 (KNOWN.rst) */
SEC("xdp") int PROG(known_movsx, 60)
{
	register __u64 a asm("r1");

	a = P64(14);
	/* r1 = (s8)r1 */
	asm volatile(".8byte 0x00000000000811bf" : "+r"(a));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P64(14);
	return XDP_PASS;
}

/* ---- known_sdiv: a signed division, of BPF version 4 (KNOWN.rst) */
SEC("xdp") int PROG(known_sdiv, 60)
{
	register __u64 a asm("r1");

	a = P32(14);
	/* w1 s/= 3 */
	asm volatile(".8byte 0x0000000300010134" : "+r"(a));
	P64(24) = a;
	return XDP_PASS;
}

SEC("card") int PROG(in_card, 60)
{
	P64(24) = P32(14) / 3;
	return XDP_PASS;
}
