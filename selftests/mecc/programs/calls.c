// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* calls.c - functions that are called: arguments that change places, values that outlive calls. */
#include "prog.h"

#define CALLED	static __attribute__((noinline))

CALLED u32 mix(u32 a, u32 b, u32 c, u32 d)
{
	return (a * 3 + b) ^ (c * 5 - d);
}

/* The arguments of mix() are its own ones in another order. */
CALLED u32 turn(u32 a, u32 b, u32 c, u32 d)
{
	u32 x = mix(b, c, d, a), y = mix(d, a, b, c);

	return x + 7 * mix(b, a, d, c) + y + a - b + (c ^ d);
}

CALLED u64 wide(u64 a, u32 n, u64 b)
{
	u32 high = turn(a >> 32, b, n, a), low = turn(b >> 32, a, b, n);

	return ((u64)high << 32 | low) + a * n - b;
}

/* Eight words of arguments, and a result of two */
CALLED u64 eight(u64 a, u64 b, u64 c, u64 d)
{
	return wide(d, a, c) ^ wide(b, c >> 32, a) ^ (d - a) ^ b;
}

CALLED void put(u32 *to, u32 n, u32 v)
{
	to[n & 7] ^= v;
}

void calls(void)
{
	u64 a = (u64)in[0] << 32 | in[1], b = (u64)in[2] << 32 | in[3], c, d;
	u32 kept[8] = { 0, 0, 0, 0, 0, 0, 0, 0 }, i, p = in[4], q = in[5], r = in[6], s = in[7];

	c = eight(a, b, b + a, a ^ b);
	d = eight(b, a, c, a);
	for (i = 0; i < 8; i++) {
		put(kept, i, turn(p, q, r, s));
		put(kept, i + 3, mix(s, r, q, p));
		p = q + i;
		q = r;
		r = s ^ kept[i];
		s = turn(s, r, q, p);
	}
	for (i = 0; i < 8; i++)
		out[i] = kept[i];
	out[0] += (u32)c;
	out[1] += (u32)(c >> 32);
	out[2] += (u32)d;
	out[3] += (u32)(d >> 32);
	out[4] += p ^ q;
	out[5] += r ^ s;
}

void divisions(void)
{
	u64 a = (u64)in[0] << 32 | in[1], b = ((u64)(in[2] & in[3]) << 32 | in[3]) | 1;
	u32 n = in[5] | 1, m = in[6] >> (in[7] & 31) | 1;
	s32 x = in[4], y = in[5] | 1;

	out[0] = (u32)(a / b) ^ (u32)(a % b >> 32);
	out[1] = (u32)(a % b) ^ (u32)(a / b >> 32);
	out[2] = (u32)(a / m) ^ (u32)(a % 1000);
	out[3] = in[4] / n + in[4] % n;
	out[4] = in[4] / m ^ in[4] % m;
	out[5] = (u32)(x / y) ^ (u32)(x % y);
	out[6] = (u32)((s64)a / y) ^ (u32)((s64)a % y);
	out[7] = (u32)((s16)in[4] / (s16)((in[5] & 0x7ffe) | 1)) + in[6] / (in[7] | 0x80000000u);
}

#define ENTRIES(X) X(calls) X(divisions)
