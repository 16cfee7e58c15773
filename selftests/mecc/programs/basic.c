// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* basic.c - one subject for each entry, so that a failure names what is wrong. */
#include "prog.h"

static u8 bytes[24];
static u16 halves[12];
static __emem u8 far_bytes[64];
static __emem u32 far_words[16] = { 1, 2, 0x12345678 };
static __emem u16 far_halves[20];
static __emem struct {
	u8 kind;
	u16 len;
	u64 sum;
} far_records[5] = { { 1, 2, 3 }, { 4, 0x506, 0x0708090a0b0c0d0e } };
static const u32 table[8] = { 3, 1, 4, 1, 5, 0x80000000, 0xfffffffe, 6 };

static struct fields {
	u8 a;
	s8 b;
	u16 c;
	u32 d;
	u64 e;
	u32 low : 5, mid : 11, high : 16;
} one, many[4];

static u32 low(u64 v)
{
	return (u32)v;
}

static u32 high(u64 v)
{
	return (u32)(v >> 32);
}

void arith(void)
{
	out[0] = in[0] + in[1];
	out[1] = in[0] - in[1];
	out[2] = in[0] * in[1];
	out[3] = (in[0] & in[1]) | (in[2] ^ ~in[3]);
	out[4] = -in[0] + 1000;
	out[5] = (in[0] & 0xffff0000) + (in[1] & 0x00ffff00) + (in[2] & 0xfffff000);
	out[6] = (u8)(in[0] + in[1]) + (u16)(in[2] * in[3]);
	out[7] = (u32)(s8)in[0] + (u32)(s16)in[1] - 200;
}

/* Factors near the limits of short multiplications */
void products(void)
{
	u32 a = in[0], b = in[1], byte = b & 0xff;

	out[0] = (a & 0xffffff) * byte + byte * (b >> 24);
	out[1] = (a & 0x1ffffff) * byte;
	out[2] = (a & 0xffff) * (b >> 16) + (a >> 15) * (b & 0xffff);
	out[3] = (a & 0xffffff) * 255 + (a & 0xffffff) * 256;
	out[4] = (u16)a * (u16)b + (u8)a * 65535u + (a & 511) * (b & 511);
	out[5] = (a & 1 ? a >> 16 : b & 0xfff0) * (b >> 20 | (a & 0x7f00));
	out[6] = (u8)(in[2] * in[3]) * ((in[2] & 0xffffff) ^ 0x800000);
	out[7] = (a & 0x10000) * (b & 0xffff) + byte * byte;
}

/* The carry of the sum must not go to a defer slot of the loop's branch without it. */
void carries(void)
{
	u32 x = in[1], y = in[2], n = (in[0] & 15) + 1;
	u64 sum = in[3];

	do {
		sum += (u64)x << 32 | y;
		y ^= 3;
	} while (--n);
	out[0] = (u32)sum;
	out[1] = (u32)(sum >> 32);
	out[2] = x ^ y;
}

void shifts(void)
{
	u32 n = in[1] & 31;

	out[0] = in[0] << n;
	out[1] = in[0] >> n;
	out[2] = (u32)((s32)in[0] >> n);
	out[3] = in[0] << 7 | in[2] >> 25;
	out[4] = (u32)((s32)in[0] >> 13);
	out[5] = in[0] << n | in[0] >> (-n & 31);
	out[6] = (u32)((s16)in[0] >> (n & 15));
	out[7] = (u8)((u8)in[0] >> (n & 7));
}

void compares(void)
{
	s32 a = (s32)in[0], b = (s32)in[1];

	out[0] = in[0] < in[1];
	out[1] = in[0] <= in[1];
	out[2] = a < b;
	out[3] = a <= b;
	out[4] = in[0] == in[1];
	out[5] = (s8)in[0] < (s8)in[1];
	out[6] = a < b ? in[2] : in[3];
	out[7] = (in[0] > 100) + (a > -5) * 2 + (in[0] != 0) * 4;
}

void wide(void)
{
	u64 a = (u64)in[0] << 32 | in[1], b = (u64)in[2] << 32 | in[3];
	u64 sum = a + b, difference = a - b, product = a * b;

	out[0] = low(sum) ^ low(difference) ^ low(product);
	out[1] = high(sum);
	out[2] = high(difference);
	out[3] = high(product);
	out[4] = high((u64)in[0] * in[1]);
	out[5] = (a < b) + ((s64)a < (s64)b) * 2 + (a == b) * 4 + ((s64)a <= (s64)b) * 8;
	out[6] = low(a & b) ^ high(a | b);
	out[7] = high((u64)((s64)a * (s32)in[4]));
}

void wide_shifts(void)
{
	u64 a = (u64)in[0] << 32 | in[1];
	u32 n = in[2] & 63;

	out[0] = high(a << n);
	out[1] = low(a << n);
	out[2] = high(a >> n) ^ high(a >> 40);
	out[3] = low(a >> n) ^ low(a << 3);
	out[4] = high((u64)((s64)a >> n));
	out[5] = low((u64)((s64)a >> n));
	out[6] = high((u64)((s64)a >> 35)) ^ low((u64)((s64)a >> 7));
	out[7] = high(a << 33) ^ low(a >> 32) ^ high(a << 17);
}

void division(void)
{
	s32 a = (s32)in[0];

	out[0] = in[0] / 10 + in[0] % 10;
	out[1] = in[0] / 7 + in[1] % 641;
	out[2] = (u32)(a / 7) + (u32)(a % 100);
	out[3] = (u32)(a / -3) + (u32)(a / 8) + (u32)(a % 16);
	out[4] = in[0] / 0x80000001u + in[1] / 3 * 5;
	out[5] = (u8)in[0] / 11 + (u16)in[1] % 1000;
	out[6] = (u32)((s16)in[0] / 9) + (u32)((s8)in[1] % 5);
	out[7] = (u32)((s64)((u64)in[0] << 32 | in[1]) / 64) + in[2] / 1;
}

void flow(void)
{
	u32 i, sum = 0;

	for (i = 0; i < (in[0] & 15); i++)
		sum = sum * 31 + i;
	switch (in[1] % 9) {
	case 0:
		sum += 5;
		break;
	case 1:
		sum ^= in[2];
		/* fall through */
	case 3:
		sum <<= 1;
		break;
	case 7:
		sum = 0;
		break;
	default:
		sum--;
	}
	out[0] = sum;
	for (i = 0; i < 40 && sum != 1 && sum; i++)
		sum = sum & 1 ? 3 * sum + 1 : sum / 2;
	out[1] = sum;
	out[2] = i;
	out[3] = in[0] && in[1] ? in[2] || in[3] : in[4] & 1;
}

void local_memory(void)
{
	u32 i, n = in[0] % 24, m = in[1] % 12, sum = 0;

	bytes[n] = (u8)in[2];
	bytes[3] = (u8)in[3];
	halves[m] = (u16)in[4];
	halves[5] += 7;
	for (i = 0; i < 24; i++)
		sum = sum * 3 + bytes[i];
	for (i = 0; i < 12; i++)
		sum = sum * 5 + halves[i];
	out[0] = sum;
	one.a++;
	one.b = (s8)(one.b - 3);
	one.c = (u16)in[5];
	one.d ^= in[6];
	one.e += (u64)one.d << 20;
	one.low = in[0];
	one.mid += one.low;
	one.high = in[1] ^ one.mid;
	out[1] = one.a + (u32)one.b + one.c;
	out[2] = one.d ^ low(one.e) ^ high(one.e);
	out[3] = one.low + one.mid * 3 + one.high * 5;
	many[in[7] & 3] = one;
	out[4] = many[in[6] & 3].c + (u32)many[in[5] & 3].b + low(many[in[4] & 3].e);
	out[5] = table[in[0] & 7] + table[in[1] & 7];
	out[6] = ((u8 *)halves)[in[0] % 24 & ~1u] == ((u8 *)halves)[in[0] % 24 & ~1u];
}

void frames(void)
{
	u32 a[16], i;
	u8 b[16];

	for (i = 0; i < 16; i++) {
		a[i] = in[i & 7] + i;
		b[i] = (u8)(in[(i + 3) & 7] >> i);
	}
	out[0] = a[in[0] & 15] + b[in[1] & 15];
	out[1] = a[b[in[2] & 15] & 15];
}

void emem(void)
{
	u32 i, sum = 0;

	far_bytes[in[0] & 63] = (u8)in[1];
	far_halves[in[2] % 20] = (u16)in[3];
	/* The load is a longer way from the end than the store, and must not pass it. */
	far_words[in[4] & 15] += in[5];
	out[3] = (far_words[in[1] & 15] * in[2] ^ in[3]) * in[6];
	far_records[in[6] % 5].sum ^= (u64)in[7] << 16 | in[0];
	far_records[in[6] % 5].len++;
	for (i = 0; i < 20; i++)
		sum = sum * 3 + far_halves[i] + far_bytes[3 * i];
	for (i = 0; i < 16; i++)
		sum = sum * 5 + far_words[i];
	out[0] = sum;
	out[1] = low(far_records[in[1] % 5].sum) ^ high(far_records[in[2] % 5].sum);
	out[2] = far_bytes[7] + far_records[in[1] % 5].len + far_records[1].kind;
}

/* What clang and LLVM make one intrinsic of */
void intrinsics(void)
{
	u32 x = in[0], n = in[1];
	u64 w = (u64)x << 32 | n;

	out[0] = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
	out[1] = (u32)__builtin_popcount(x) + (u32)__builtin_popcountll(w) * 100;
	out[2] = (x ? (u32)__builtin_clz(x) : 99) + (x ? (u32)__builtin_ctz(x) : 99) * 100;
	out[3] = (u32)__builtin_clzll(w | 1) + (u32)__builtin_ctzll(w | 1ull << 63) * 100;
	out[4] = (x > n ? x : n) ^ ((s32)x < (s32)n ? x : n) ^ (u32)__builtin_abs((s16)x);
	out[5] = (x < n ? 0 : x - n) + (u16)(in[2] << 8 | (u16)in[2] >> 8);
	out[6] = low(__builtin_bswap64(w)) * 3 + high(__builtin_bswap64(w));
	out[7] = x << (n & 31) | in[2] >> 1 >> (~n & 31);
}

/* More values at a time than there are registers */
void pressure(void)
{
	u32 a[40], i, j, v = in[0];
	u32 b0 = in[0] * 3, b1 = in[1] * 5, b2 = in[2] * 7, b3 = in[3] * 9, b4 = in[4] ^ 1;
	u32 b5 = in[5] + 2;
	u32 c0 = b0 + b1, c1 = b1 + b2, c2 = b2 + b3, c3 = b3 + b4, c4 = b4 + b5, c5 = b5 + b0;
	u32 d0 = c0 * 3, d1 = c1 ^ c2, d2 = c2 + 7, d3 = c3 - c4, d4 = c4 | 5, d5 = c5 & 0xfff;
	u32 e0 = d0 ^ d1, e1 = d1 + d2, e2 = d2 - d3, e3 = d3 ^ d4, e4 = d4 + d5, e5 = d5 ^ d0;
	u32 f0 = e0 + c0, f1 = e1 ^ c1, f2 = e2 + c2, f3 = e3 ^ c3, f4 = e4 + c4, f5 = e5 ^ c5;

	for (i = 0; i < 40; i++)
		a[i] = in[i & 7] * (i + 1);
	for (j = 0; j < 3; j++) {
		v += b0 ^ c0 ^ d0 ^ e0 ^ f0;
		b0 += v, c0 ^= v, d0 -= v, e0 += v * 3, f0 ^= b0;
		v += b1 ^ c1 ^ d1 ^ e1 ^ f1;
		b1 += v, c1 ^= v, d1 -= v, e1 += v * 3, f1 ^= b1;
		v += b2 ^ c2 ^ d2 ^ e2 ^ f2;
		b2 += v, c2 ^= v, d2 -= v, e2 += v * 3, f2 ^= b2;
		v += b3 ^ c3 ^ d3 ^ e3 ^ f3;
		b3 += v, c3 ^= v, d3 -= v, e3 += v * 3, f3 ^= b3;
		v += b4 ^ c4 ^ d4 ^ e4 ^ f4;
		b4 += v, c4 ^= v, d4 -= v, e4 += v * 3, f4 ^= b4;
		v += b5 ^ c5 ^ d5 ^ e5 ^ f5;
		b5 += v, c5 ^= v, d5 -= v, e5 += v * 3, f5 ^= b5;
	}
	out[0] = v + a[in[0] % 40];
	out[1] = b0 ^ b1 ^ b2 ^ b3 ^ b4 ^ b5;
	out[2] = c0 ^ c1 ^ c2 ^ c3 ^ c4 ^ c5;
	out[3] = d0 ^ d1 ^ d2 ^ d3 ^ d4 ^ d5;
	out[4] = e0 ^ e1 ^ e2 ^ e3 ^ e4 ^ e5;
	out[5] = f0 ^ f1 ^ f2 ^ f3 ^ f4 ^ f5;
}

#define ENTRIES(X) X(arith) X(products) X(carries) X(shifts) X(compares) X(wide) \
	X(wide_shifts) X(division) X(flow) X(local_memory) X(frames) X(emem) X(intrinsics) X(pressure)
