/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* inputs.h - the inputs of a test program: the same on the host and on the microengine. */
#ifndef INPUTS_H
#define INPUTS_H

#include "random.h"

#define IN_WORDS	8
#define OUT_WORDS	8

/* Return: the state of the numbers that entry @name gets, for any order of the entries. */
static inline uint64_t inputs_start(uint64_t seed, const char *name)
{
	uint64_t x = seed;

	for (; *name; name++)
		x = (x ^ (uint8_t)*name) * 0x100000001b3ull;
	random_mix(&x);
	return x ? x : 1;
}

/* Numbers near the limits of types come as often as any others. */
static inline void inputs_next(uint64_t *x, uint32_t *in)
{
	static const uint32_t edge[] = {
		0, 1, 2, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
	};

	for (unsigned int i = 0; i < IN_WORDS; i++) {
		unsigned int kind = random_below(x, 3);

		in[i] = kind == 0 ? edge[random_below(x, sizeof(edge) / sizeof(edge[0]))] :
			kind == 1 ? random_below(x, 256) : (uint32_t)(random_next(x) >> 16);
	}
}

#endif /* INPUTS_H */
