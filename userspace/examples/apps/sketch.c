// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sketch.c - see sketch.h. */
#include <stdlib.h>
#include "sketch.h"

/*
 * The number of failures before a success of probability 2^-shift is above n with probability
 * (1 - 2^-shift)^(n + 1). So it is the first n at which this falls below an even random number.
 */
static uint32_t sketch_draw(uint32_t shift, uint32_t i)
{
	double above = 1, random = (double)(packet_mix(packet_mix(i + 1)) >> 11) / (1ull << 53);
	double fail = 1 - 1.0 / (1u << shift);
	uint32_t n = 0;

	for (above = fail; above > random && n < 1u << 24; above *= fail)
		n++;
	return n;
}

struct sketch *sketch_new(uint32_t shift)
{
	struct sketch *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->shift = shift < SKETCH_SHIFT ? shift : SKETCH_SHIFT;
	for (uint32_t i = 0; i < SKETCH_DRAWS; i++)
		s->draws[i] = sketch_draw(s->shift, i);
	s->skip = s->draws[s->draw++];
	return s;
}

void sketch_sample(struct sketch *s, const struct packet *p)
{
	uint64_t hash = packet_hash(p);

	while (s->skip < SKETCH_ROWS) {
		s->count[s->skip][sketch_col(hash, s->skip)] += 1u << s->shift;
		s->skip += 1 + s->draws[s->draw++ % SKETCH_DRAWS];
	}
	s->skip -= SKETCH_ROWS;
}

static int sketch_less(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint64_t sketch_flow(const struct sketch *s, uint64_t hash)
{
	uint32_t found[SKETCH_ROWS];

	for (unsigned int row = 0; row < SKETCH_ROWS; row++)
		found[row] = s->count[row][sketch_col(hash, row)];
	qsort(found, SKETCH_ROWS, sizeof(found[0]), sketch_less);
	/* A row that sampled few of the flow's packets is too small: then take a middle one. */
	return found[s->shift ? (SKETCH_ROWS - 1) / 2 : 0];
}
