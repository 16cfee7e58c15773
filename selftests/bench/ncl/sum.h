/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sum.h - the arrays that workers add up, and the check of the sums. */
#ifndef NCL_SUM_H
#define NCL_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Return a pseudo-random number for element @i. Sums of these wrap at 32 bits. */
static inline uint32_t sum_value(unsigned int worker, uint32_t round, uint32_t i)
{
	uint32_t x = (i + 1) * 2654435761u ^ (round * 40503u + worker) * 2246822519u;

	return x ^ x >> 15;
}

/* Make the arrays of a worker: one for each round, in one piece of memory. */
static inline uint32_t *sum_arrays(unsigned int worker, uint32_t rounds, uint32_t count)
{
	uint32_t *data = malloc((size_t)rounds * count * sizeof(*data));

	for (uint32_t r = 0; data && r < rounds; r++)
		for (uint32_t i = 0; i < count; i++)
			data[(size_t)r * count + i] = sum_value(worker, r, i);
	return data;
}

static inline bool sum_right(const uint32_t *data, uint32_t rounds, uint32_t count,
			     unsigned int workers)
{
	for (size_t k = 0; k < (size_t)rounds * count; k++) {
		uint32_t want = 0;

		for (unsigned int w = 0; w < workers; w++)
			want += sum_value(w, (uint32_t)(k / count), (uint32_t)(k % count));
		if (data[k] == want)
			continue;
		fprintf(stderr, "round %zu: sum %zu is %u, not %u\n", k / count, k % count, data[k],
			want);
		return false;
	}
	return true;
}

#endif /* NCL_SUM_H */
