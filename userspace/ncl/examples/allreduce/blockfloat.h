/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * blockfloat.h - sums of floats, computed as sums of integers.
 *
 * A block of floats has one exponent, that of the largest float of all workers in the block. The
 * workers first agree on the exponent: the device returns the largest exponent that a worker has
 * sent. Then each worker scales its floats to integers, the device adds the integers, and each
 * worker scales the sums back. All workers get the same floats, whatever the order of the
 * additions. A float loses the bits below the last bit of the largest float.
 */
#ifndef BLOCKFLOAT_H
#define BLOCKFLOAT_H

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Added to exponents, so that none is negative: cells of a device start with 0. */
#define BLOCKFLOAT_BIAS	150

/*
 * Find @exponent so that all floats are below 2^(exponent - BLOCKFLOAT_BIAS). -EDOM: one is
 * infinite or NaN.
 */
static inline int blockfloat_exponent(const float *x, size_t n, int32_t *exponent)
{
	float largest = 0;
	int e;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return -EDOM;
		largest = fmaxf(largest, fabsf(x[i]));
	}
	frexpf(largest, &e);
	*exponent = largest > 0 ? e + BLOCKFLOAT_BIAS : 0;
	return 0;
}

/*
 * Return the number of bits to shift a float left, so that sums of @workers integers fit 31 bits.
 */
static inline int blockfloat_shift(int32_t exponent, unsigned int workers)
{
	int bits = 30;

	while (workers > 1u << (30 - bits))
		bits--;
	return bits - (exponent - BLOCKFLOAT_BIAS);
}

static inline void blockfloat_to_int(const float *x, int32_t *q, size_t n, int32_t exponent,
				     unsigned int workers)
{
	int shift = blockfloat_shift(exponent, workers);

	for (size_t i = 0; i < n; i++)
		q[i] = (int32_t)rint(ldexp(x[i], shift));
}

static inline void blockfloat_from_int(const int32_t *q, float *x, size_t n, int32_t exponent,
				       unsigned int workers)
{
	int shift = blockfloat_shift(exponent, workers);

	for (size_t i = 0; i < n; i++)
		x[i] = (float)ldexp(q[i], -shift);
}

#endif /* BLOCKFLOAT_H */
