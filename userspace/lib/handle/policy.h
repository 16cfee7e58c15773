/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* policy.h - what the calls on a handle do before they sleep. */
#ifndef NFPCHAN_POLICY_H
#define NFPCHAN_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct adapt - how long waits have lasted
 * @mean: moving average of their length, ns
 * @waits: number of waits
 */
struct adapt {
	uint64_t mean;
	uint32_t waits;
};

/* The time for which to watch in the next wait, ns, up to @bound. */
uint64_t adapt_spin(const struct adapt *a, uint64_t bound);

/* Take the length of a wait, @ns, into the average. */
void adapt_learn(struct adapt *a, uint64_t ns, uint64_t bound);

enum watch {
	WATCH_SPIN,		/* look at the record again and again, for spin_ns */
	WATCH_ADAPT,		/* the same, for the time that adapt_spin() gives */
	WATCH_MONITOR,		/* have the CPU monitor the record's cache line */
};

/**
 * struct policy - what a handle does before it sleeps
 * @watch: how it watches for the card
 * @spin_ns: how long at most, ns; UINT64_MAX: the handle never sleeps
 * @adapt: the learned mean of WATCH_ADAPT
 */
struct policy {
	enum watch watch;
	uint64_t spin_ns;
	struct adapt adapt;
};

/**
 * policy_set() - set a policy from NFPCHAN_WAIT_* and microseconds
 * @p: the policy, unchanged after a failure
 *
 * Return: 0, -EINVAL (no such policy, or a time that it does not take), -EOPNOTSUPP (the CPU
 * cannot monitor memory).
 */
int policy_set(struct policy *p, uint32_t wait, int32_t spin_us);

/* The policy in force, as NFPCHAN_WAIT_*. */
uint32_t policy_get(const struct policy *p);

/* Can a process on this CPU wait for a store to a cache line? */
bool monitor_able(void);

/**
 * monitor_wait() - halt the CPU until @line is written, for @ns at most
 * @changed: called once the CPU monitors @line. true: a write came before, so do not halt
 *
 * A store after the call of @changed ends the wait, so that no store is missed. The wait may
 * end early. Only if monitor_able().
 */
void monitor_wait(const volatile void *line, bool (*changed)(void *arg), void *arg,
		  uint64_t ns);

#endif /* NFPCHAN_POLICY_H */
