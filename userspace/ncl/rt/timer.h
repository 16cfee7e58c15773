/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* timer.h - how long a window takes, and when it is sent again. Times are in ns. */
#ifndef NCRT_TIMER_H
#define NCRT_TIMER_H

#include <stdint.h>

#define RTO_FIRST	20000000ull	/* while nothing has been measured */
#define RTO_MIN		1000000ull
#define RTO_MAX		250000000ull

/**
 * struct rtt - what the windows of a kernel have taken
 * @smooth: smoothed time; 0: nothing has been measured
 * @vary: smoothed deviation from it
 */
struct rtt {
	uint64_t smooth;
	uint64_t vary;
};

/*
 * A window has taken @ns. Only for windows that were sent once: nobody can tell which of
 * two an answer belongs to.
 */
void rtt_add(struct rtt *rtt, uint64_t ns);

/* How long to wait after having sent a window for time number @tries, from 1. */
uint64_t rtt_wait(const struct rtt *rtt, unsigned int tries);

/* CLOCK_MONOTONIC */
uint64_t timer_now(void);

#endif /* NCRT_TIMER_H */
