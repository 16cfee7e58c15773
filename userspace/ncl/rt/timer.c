// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* timer.c - when to send a window again, after RFC 6298. */
#include <time.h>
#include "timer.h"

#define DOUBLINGS	8	/* enough to go from RTO_MIN to RTO_MAX */

void rtt_add(struct rtt *rtt, uint64_t ns)
{
	uint64_t off;

	if (!rtt->smooth) {
		rtt->smooth = ns ? ns : 1;
		rtt->vary = ns / 2;
		return;
	}
	off = ns > rtt->smooth ? ns - rtt->smooth : rtt->smooth - ns;
	rtt->vary = rtt->vary - rtt->vary / 4 + off / 4;
	rtt->smooth = rtt->smooth - rtt->smooth / 8 + ns / 8;
	if (!rtt->smooth)
		rtt->smooth = 1;
}

uint64_t rtt_wait(const struct rtt *rtt, unsigned int tries)
{
	uint64_t rto = rtt->smooth ? rtt->smooth + 4 * rtt->vary : RTO_FIRST;
	unsigned int i;

	if (rto < RTO_MIN)
		rto = RTO_MIN;
	for (i = 1; i < tries && i <= DOUBLINGS && rto < RTO_MAX; i++)
		rto *= 2;
	return rto < RTO_MAX ? rto : RTO_MAX;
}

uint64_t timer_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}
