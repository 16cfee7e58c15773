/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* now.h - the time, for waits and rates. */
#ifndef NFPCHAN_NOW_H
#define NFPCHAN_NOW_H

#include <stdint.h>
#include <time.h>

/* Return nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

#endif /* NFPCHAN_NOW_H */
