/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* soak.h - the workers of a soak, and the memory that they share besides traffic. */
#ifndef SOAK_H
#define SOAK_H

#include "traffic.h"

#define SOAK_KINDS	25
#define PORT_REQS	4	/* requests outstanding on a port, in each direction */
#define SINK_PART	5000	/* largest part of a stream that is sent at once */
#define READY		3	/* workers that must be ready before frames are sent */
#define WIRE		"wire"	/* name of the worker that sends frames; it has no channel */
#define METER		"flows"	/* the flow meter's channel, whose count is of frames */

extern const struct kind soak_kinds[SOAK_KINDS];

/* A time in which a vCPU stood still, as a thread on that vCPU measured it */
struct hiccup {
	int64_t from, to;
};

#define HICCUPS		4096	/* a power of 2 */
#define WORST		10

struct outlier {
	int64_t at, ns;
	int64_t waited;		/* time for which the thread was runnable and did not run */
	int64_t still;		/* time for which a vCPU stood still */
};

/* Round-trip times of elements that are sent one at a time */
struct latency {
	atomic_ullong bucket[512];	/* 8 for each power of two, ns */
	atomic_ullong count;
	struct outlier worst[WORST];
	atomic_ullong hiccups[2];
	struct hiccup hiccup[2][HICCUPS];
};

extern struct soak {
	atomic_uint ready;	/* how many of links, flow meter and XDP program are ready */
	struct latency latency;
} *soak;

int64_t run_delay(int fd);
void latency_begin(void);	/* starts threads that measure when a vCPU stands still */
void latency_add(struct latency *l, int64_t at, int64_t ns, int64_t waited);
void latency_show(const struct latency *l);

#endif /* SOAK_H */
