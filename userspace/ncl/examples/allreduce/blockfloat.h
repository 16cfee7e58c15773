/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * blockfloat.h - sums of floats by sums of integers.
 *
 * A block of floats has one exponent: of the largest of all workers' floats in it. Workers agree
 * on it first, by the largest of theirs; then each scales its floats to integers, the integers
 * are added, and each scales the sums back. All get the same floats, in whatever order
 * the integers were added. A float loses what is below the largest one's last bit.
 */
#ifndef BLOCKFLOAT_H
#define BLOCKFLOAT_H

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Exponents from 0 on, so that a device's cell may begin with 0 */
#define BLOCKFLOAT_BIAS	150

/* All floats of the block are below 2^(exponent - BLOCKFLOAT_BIAS). -EDOM: one is not finite */
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

/* Bits to shift, so that the sum of so many workers has less than 31 */
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
