/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* random.h - random numbers for tests. Each run with the same seed gets the same numbers. */
#ifndef RANDOM_H
#define RANDOM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* xorshift64. @x must not be 0. */
static inline uint64_t random_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static inline uint32_t random_below(uint64_t *x, uint32_t n)
{
	return (uint32_t)(random_next(x) >> 32) % n;
}

/* splitmix64. @x may be any value. Consecutive values of @x give unrelated results. */
static inline uint64_t random_mix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Return byte @pos of a stream that tests send and check. */
static inline uint8_t byte_at(uint64_t pos)
{
	return (uint8_t)(pos * 0x9e3779b97f4a7c15 >> 56);
}

/*
 * Return the initial state for random_next(): the environment variable SEED, or else @seed. Print
 * the seed.
 */
static inline uint64_t random_seed(uint64_t seed)
{
	const char *env = getenv("SEED");

	if (env)
		seed = strtoull(env, NULL, 0);
	printf("# seed %" PRIu64 "\n", seed);
	fflush(stdout);
	return seed ? seed : 1;
}

#endif /* RANDOM_H */
