/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* timer.h - round-trip times and retransmission timeouts. Times are in ns. */
#ifndef NCRT_TIMER_H
#define NCRT_TIMER_H

#include <stdint.h>

#define RTO_FIRST	20000000ull	/* timeout before the first measurement */
#define RTO_MIN		1000000ull
#define RTO_MAX		250000000ull

/**
 * struct rtt - round-trip time of a kernel's windows
 * @smooth: smoothed time; 0: nothing was measured yet
 * @vary: smoothed deviation from @smooth
 */
struct rtt {
	uint64_t smooth;
	uint64_t vary;
};

/*
 * Add a measured time. Measure only windows that were sent once: if a window was sent twice, it is
 * unknown which transmission was answered.
 */
void rtt_add(struct rtt *rtt, uint64_t ns);

/* How long to wait for an answer after transmission number @tries, from 1. */
uint64_t rtt_wait(const struct rtt *rtt, unsigned int tries);

/* CLOCK_MONOTONIC */
uint64_t timer_now(void);

#endif /* NCRT_TIMER_H */
