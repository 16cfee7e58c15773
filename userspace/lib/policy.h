/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* policy.h - how the calls on a handle wait: what they do before they sleep. */
#ifndef NFPCHAN_POLICY_H
#define NFPCHAN_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct adapt - what was learned of how long waits are
 * @mean: moving average of their length, ns
 * @waits: how many there were
 */
struct adapt {
	uint64_t mean;
	uint32_t waits;
};

/* How long it is worth to watch in the wait to come, @bound at most. */
uint64_t adapt_spin(const struct adapt *a, uint64_t bound);

/* A wait has ended after @ns. */
void adapt_learn(struct adapt *a, uint64_t ns, uint64_t bound);

enum watch {
	WATCH_SPIN,		/* look again and again */
	WATCH_ADAPT,		/* so, for as long as was learned */
	WATCH_MONITOR,		/* have the CPU wait for the record's cache line */
};

/**
 * struct policy - what a handle does before it sleeps
 * @watch: how it watches for the card
 * @spin_ns: for how long at most; UINT64_MAX: it never sleeps
 * @adapt: for WATCH_ADAPT
 */
struct policy {
	enum watch watch;
	uint64_t spin_ns;
	struct adapt adapt;
};

/**
 * policy_set() - NFPCHAN_WAIT_* and a time as the caller gives it
 * @p: left alone on failure
 *
 * Return: 0, -EINVAL (no such policy, or time), -EOPNOTSUPP (no such CPU).
 */
int policy_set(struct policy *p, uint32_t wait, int32_t spin_us);

/* The policy in force, as NFPCHAN_WAIT_*. */
uint32_t policy_get(const struct policy *p);

/* Can this CPU wait for a store to a cache line, outside the kernel? */
bool monitor_able(void);

/**
 * monitor_wait() - until @line is written, for @ns at most, or for nothing
 * @changed: called once @line is watched: true when it was written before
 *
 * A store that comes between the two ends the wait, so none is missed. Only
 * when monitor_able().
 */
void monitor_wait(const volatile void *line, bool (*changed)(void *arg), void *arg,
		  uint64_t ns);

#endif /* NFPCHAN_POLICY_H */
