/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sketch.h - telemetry: how many packets each flow has sent, in memory that does not grow.
 *
 * A count-min sketch has some rows of counters. In each row a flow has one counter, which it shares
 * with others, so the smallest of its counters is at least the flow's number of packets, and little
 * more. The sketch can sample: it then updates a row for one packet in 2^shift on average, by as
 * much more, and draws the number of updates to pass over until the next one (Liu et al.,
 * "NitroSketch: Robust and General Sketch-based Monitoring in Software Switches", SIGCOMM 2019).
 */
#ifndef APPS_SKETCH_H
#define APPS_SKETCH_H

#include <stdbool.h>
#include "packet.h"

#define SKETCH_ROWS	4
#define SKETCH_COLS	16384	/* a power of 2, at most 65536 */
#define SKETCH_DRAWS	4096	/* a power of 2 */
#define SKETCH_SHIFT	16	/* largest shift */

/**
 * struct sketch - a sketch
 * @packets: packets of flows
 * @skip: updates of a row to pass over
 * @draw: the next of @draws
 * @shift: an update adds 2^@shift
 * @other: packets without a flow
 * @draws: numbers of updates to pass over
 * @count: the counters
 */
struct sketch {
	uint64_t packets;
	uint32_t skip;
	uint32_t draw;
	uint32_t shift;
	uint64_t other;
	uint32_t draws[SKETCH_DRAWS];
	uint32_t count[SKETCH_ROWS][SKETCH_COLS];
};

/* Make a sketch that samples one in 2^@shift, up to SKETCH_SHIFT. Return NULL without memory. */
struct sketch *sketch_new(uint32_t shift);

/*
 * Return about how many packets a flow has sent: never fewer, if all are counted. @hash:
 * packet_hash() of one of them.
 */
uint64_t sketch_flow(const struct sketch *s, uint64_t hash);

/* The flow's counter in a row: each row takes other bits of the hash. */
static inline uint32_t sketch_col(uint64_t hash, unsigned int row)
{
	return (uint32_t)(hash >> 16 * row) % SKETCH_COLS;
}

/* A packet that is sampled in at least one row */
void sketch_sample(struct sketch *s, const struct packet *p);

static inline bool sketch_packet(void *app, uint8_t *frame, uint32_t len)
{
	const struct packet *p = packet_of(frame, len);
	struct sketch *s = app;

	if (!p) {
		s->other++;
		return false;
	}
	s->packets++;
	if (s->skip >= SKETCH_ROWS)
		s->skip -= SKETCH_ROWS;
	else
		sketch_sample(s, p);
	return false;
}

#endif /* APPS_SKETCH_H */
