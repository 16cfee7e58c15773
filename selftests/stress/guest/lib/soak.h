/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* soak.h - the processes of a soak, and what they share besides traffic. */
#ifndef SOAK_H
#define SOAK_H

#include "traffic.h"

#define SOAK_KINDS	25
#define PORT_REQS	4	/* of each direction outstanding, on a port */
#define SINK_PART	5000	/* bytes at a time */
#define READY		3	/* frames may go */
#define WIRE		"wire"	/* no channel, but frames; the meter counts these, */
#define METER		"flows"	/* and not its messages */

extern const struct kind soak_kinds[SOAK_KINDS];

/* A vCPU that stood still, as a thread on it saw it. */
struct hiccup {
	int64_t from, to;
};

#define HICCUPS		4096	/* a power of 2 */
#define WORST		10

struct outlier {
	int64_t at, ns;
	int64_t waited;		/* of it the process was runnable and did not run */
	int64_t still;		/* a vCPU stood still */
};

/* Round trips of one at a time. */
struct latency {
	atomic_ullong bucket[512];	/* 8 for each power of two, ns */
	atomic_ullong count;
	struct outlier worst[WORST];
	atomic_ullong hiccups[2];
	struct hiccup hiccup[2][HICCUPS];
};

extern struct soak {
	atomic_uint ready;	/* of those that frames need: links, meter, program */
	struct latency latency;
} *soak;

int64_t run_delay(int fd);
void latency_begin(void);	/* threads that see when a vCPU stands still */
void latency_add(struct latency *l, int64_t at, int64_t ns, int64_t waited);
void latency_show(const struct latency *l);

#endif /* SOAK_H */
