// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * policy.c - how long to watch before sleeping.
 *
 * A sleep costs two system calls, an interrupt and a context switch. Watching costs the time
 * until the card answers. So watching pays if that time is short. The lengths of the last
 * waits predict it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include "nfpchan.h"
#include "policy.h"

#define SPIN_DEFAULT_NS	20000ull
#define ADAPT_WEIGHT	4	/* a new wait counts for one part in 4 of the mean */
#define ADAPT_PROBE	16	/* one wait in so many is watched for the whole bound */
#define ADAPT_SLACK_NS	500	/* added to twice the mean: reading the clock takes time */

/*
 * A wait that slept appears longer than it was, by the time to wake up. If waking up alone
 * takes longer than the bound, the mean would stay above the bound for ever. Therefore every
 * ADAPT_PROBE-th wait is watched.
 */
uint64_t adapt_spin(const struct adapt *a, uint64_t bound)
{
	uint64_t spin = 2 * a->mean + ADAPT_SLACK_NS;

	if (a->waits % ADAPT_PROBE == 0)
		return bound;
	if (a->mean > bound)
		return 0;
	return spin < bound ? spin : bound;
}

void adapt_learn(struct adapt *a, uint64_t ns, uint64_t bound)
{
	bool short_one = ns <= bound;

		/* Limit one long wait: a few short ones bring the mean below the bound again. */
	if (ns / 2 > bound)
		ns = 2 * bound;
	/* The first short wait after long ones: the learned mean does not hold any more. */
	if (!a->waits || (short_one && a->mean > bound))
		a->mean = ns;
	else
		a->mean = (a->mean * (ADAPT_WEIGHT - 1) + ns) / ADAPT_WEIGHT;
	a->waits++;
}

/* With one CPU, watching would only delay the interrupt handler and the sender. */
static uint64_t spin_default(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) < 2 ? 0 : SPIN_DEFAULT_NS;
}

int policy_set(struct policy *p, uint32_t wait, int32_t spin_us)
{
	uint64_t spin = spin_us > 0 ? (uint64_t)spin_us * 1000 : spin_default();
	struct policy new = { .watch = WATCH_SPIN, .spin_ns = spin };

	if (wait != NFPCHAN_WAIT_DEFAULT && spin_us < 0)
		return -EINVAL;
	switch (wait) {
	case NFPCHAN_WAIT_DEFAULT:
		if (spin_us < 0)
			new.spin_ns = 0;
		else if (!spin_us)
			new.watch = WATCH_ADAPT;
		break;
	case NFPCHAN_WAIT_SPIN:
		new.spin_ns = UINT64_MAX;
		break;
	case NFPCHAN_WAIT_SLEEP:
		new.spin_ns = 0;
		break;
	case NFPCHAN_WAIT_ADAPTIVE:
		new.watch = WATCH_ADAPT;
		break;
	case NFPCHAN_WAIT_MONITOR:
		if (!monitor_able())
			return -EOPNOTSUPP;
		new.watch = WATCH_MONITOR;
		if (!spin_us)
			new.spin_ns = UINT64_MAX;
		break;
	case NFPCHAN_WAIT_BEST:
		new.watch = monitor_able() ? WATCH_MONITOR : WATCH_ADAPT;
		break;
	default:
		return -EINVAL;
	}
	*p = new;
	return 0;
}

uint32_t policy_get(const struct policy *p)
{
	if (p->watch == WATCH_ADAPT)
		return NFPCHAN_WAIT_ADAPTIVE;
	if (p->watch == WATCH_MONITOR)
		return NFPCHAN_WAIT_MONITOR;
	if (p->spin_ns == UINT64_MAX)
		return NFPCHAN_WAIT_SPIN;
	return p->spin_ns ? NFPCHAN_WAIT_DEFAULT : NFPCHAN_WAIT_SLEEP;
}
