/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - runs of the model, and figures from their traces.
 */
#ifndef FAB_MEASURE_H
#define FAB_MEASURE_H

#include "chain.h"
#include "path.h"

/**
 * struct fab_latency - one message in an idle fabric
 * @round_trips: crossings of its path, in round trips of a device with host memory
 * @root_tlps: TLPs at the root complex' link
 * @link_bytes: bytes on all links
 * @hash: of the trace
 * @f: the fabric, for the names in the path; the caller frees it
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

/* A device writes and reads where it may not. */
struct fab_access {
	uint64_t asked_tlps, asked_bytes;	/* bytes of data that were to move */
	uint64_t moved_bytes;			/* ... that left the switch */
	uint64_t denied, denied_bytes;		/* what the switch counted */
	uint64_t answered;			/* reads that ended, refused */
};

/* One read of host memory by a device: links that request and completion crossed, and the time. */
void fab_round_trip(const struct fab_opt *o, uint32_t *crossings, fab_time *takes);
/* 0; -EDEADLK, -EBADMSG: a result is not what it should be; -EPROTO: something was counted
 * that must not happen. Unless 0 there is no fabric. */
int fab_latency(const struct fab_opt *o, enum fab_mode mode, struct fab_latency *l);
int fab_rate(const struct fab_opt *o, enum fab_mode mode, struct fab_rate *r);
/* CPU to accelerator, until the data is there: by doorbell, or pushed. */
int fab_cpu_to_device(const struct fab_opt *o, bool pushed, struct fab_latency *l);
/* @plain: the control, a switch without tables */
void fab_access(const struct fab_opt *o, bool plain, struct fab_access *a);

#endif /* FAB_MEASURE_H */
