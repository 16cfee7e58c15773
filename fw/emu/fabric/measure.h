/* SPDX-License-Identifier: BSD-2-Clause */
/* measure.h - runs of the model, and results from their traces. */
#ifndef FAB_MEASURE_H
#define FAB_MEASURE_H

#include "chain.h"
#include "path.h"

/**
 * struct fab_latency - latency of one message in an idle fabric
 * @round_trips: link crossings on the critical path, in units of a round trip between a
 *	device and host memory
 * @root_tlps: TLPs on the root complex's link
 * @link_bytes: bytes on all links
 * @hash: hash of the trace
 * @f: the fabric, which has the names in the path; the caller frees it
 */
struct fab_latency {
	struct fab_path path;
	double round_trips, us;
	uint64_t root_tlps, link_bytes, hash;
	struct fabric *f;
};

struct fab_rate {
	double per_second;
	uint64_t delivered, equal, dropped, cpu_actions;
};

/* Result of a device's accesses that no entry allows. */
struct fab_access {
	uint64_t asked_tlps, asked_bytes;	/* bytes of data requested */
	uint64_t moved_bytes;			/* bytes of data that left the switch */
	uint64_t denied, denied_bytes;		/* the switch's counters */
	uint64_t answered;			/* reads that were answered as refused */
};

/*
 * Measure a device's read of host memory: number of link crossings by request and completion, and
 * time.
 */
void fab_round_trip(const struct fab_opt *o, uint32_t *crossings, fab_time *takes);
/*
 * Return 0, -EDEADLK (messages are stuck), -EBADMSG (a result is wrong) or -EPROTO (an event was
 * counted that must not happen). Unless 0, there is no fabric in @l.
 */
int fab_latency(const struct fab_opt *o, enum fab_mode mode, struct fab_latency *l);
int fab_rate(const struct fab_opt *o, enum fab_mode mode, struct fab_rate *r);
/* Measure the time until a message of the CPU is in the accelerator: by doorbell, or @pushed. */
int fab_cpu_to_device(const struct fab_opt *o, bool pushed, struct fab_latency *l);
/* @plain: a switch without tables, as a control experiment */
void fab_access(const struct fab_opt *o, bool plain, struct fab_access *a);

#endif /* FAB_MEASURE_H */
