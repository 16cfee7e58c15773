// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_policy.c - waiting before a sleep: how the adaptive policy learns the time between
 * arrivals, a cache line that is monitored for a write, and the library's calls over
 * the firmware in this process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "stress_card.h"
#include "skip.h"

#define US		1000ull
#define BOUND		(20 * US)
#define WAKE		(60 * US)	/* time from an arrival until a sleeper runs */

/**
 * struct run - simulated waits
 * @slept: waits whose end was not seen by watching
 * @watched: total ns of watching
 */
struct run {
	unsigned int slept;
	uint64_t watched;
};

static void wait_once(struct adapt *a, struct run *r, uint64_t arrival)
{
	uint64_t spin = adapt_spin(a, BOUND);

	assert_true(spin <= BOUND);
	if (arrival <= spin) {
		r->watched += arrival;
		adapt_learn(a, arrival, BOUND);
	} else {
		r->watched += spin;
		r->slept++;
		adapt_learn(a, arrival + WAKE, BOUND);
	}
}

static struct run waits(struct adapt *a, unsigned int n, uint64_t arrival)
{
	struct run r = { .slept = 0 };

	while (n--)
		wait_once(a, &r, arrival);
	return r;
}

/* Waits that are shorter than the bound are watched to their end, from the first one on. */
static void short_waits_are_watched(void **state)
{
	for (uint64_t ns = 1; ns <= BOUND; ns += 499) {
		struct adapt a = { .waits = 0 };

		assert_int_equal(waits(&a, 100, ns).slept, 0);
	}
}

/* For longer waits it sleeps at once, but watches one wait in sixteen. */
static void long_waits_are_slept_for(void **state)
{
	static const uint64_t ns[] = { BOUND + 1, 2 * BOUND, 1000 * US, UINT64_MAX / 4 };

	for (unsigned int i = 0; i < 4; i++) {
		struct adapt a = { .waits = 0 };
		struct run r = waits(&a, 160, ns[i]);

		assert_int_equal(r.slept, 160);
		assert_int_equal(r.watched, 10 * BOUND);
	}
}

/*
 * If arrivals become fast, the time to wake up hides that until the next probe. If they become
 * slow, the policy learns it within a few waits.
 */
static void changes_are_learned(void **state)
{
	struct adapt a = { .waits = 0 };
	struct run r;

	waits(&a, 100, 5000 * US);
	r = waits(&a, 100, 5 * US);
	assert_in_range(r.slept, 1, 16);
	r = waits(&a, 100, 5000 * US);
	assert_int_equal(r.slept, 100);
	assert_true(r.watched <= 10 * BOUND);
	r = waits(&a, 16, 5 * US);
	assert_in_range(r.slept, 1, 15);
	assert_int_equal(waits(&a, 100, 5 * US).slept, 0);
}

/* After one late message among fast ones it still watches. */
static void one_is_not_all(void **state)
{
	struct adapt a = { .waits = 0 };
	struct run r = { .slept = 0 };

	waits(&a, 17, 5 * US);
	wait_once(&a, &r, 1000 * US);
	assert_int_equal(r.slept, 1);
	assert_int_equal(waits(&a, 132, 5 * US).slept, 0);
	/* After two late ones it sleeps. */
	wait_once(&a, &r, 1000 * US);
	wait_once(&a, &r, 1000 * US);
	assert_int_equal(waits(&a, 1, 5 * US).slept, 1);
}

static void policies(void **state)
{
	struct policy p, kept;
	int have = monitor_able() ? 0 : -EOPNOTSUPP;

	assert_int_equal(policy_set(&p, NFPCHAN_WAIT_DEFAULT, 7), 0);
	assert_int_equal(p.watch, WATCH_SPIN);
	assert_int_equal(p.spin_ns, 7 * US);
	assert_int_equal(policy_get(&p), NFPCHAN_WAIT_DEFAULT);
	assert_int_equal(policy_set(&p, NFPCHAN_WAIT_DEFAULT, 0), 0);
	assert_int_equal(policy_get(&p), NFPCHAN_WAIT_ADAPTIVE);
	assert_int_equal(policy_set(&p, NFPCHAN_WAIT_DEFAULT, -1), 0);
	assert_int_equal(policy_get(&p), NFPCHAN_WAIT_SLEEP);
	assert_int_equal(p.spin_ns, 0);
	for (uint32_t w = NFPCHAN_WAIT_SPIN; w <= NFPCHAN_WAIT_SLEEP; w++) {
		assert_int_equal(policy_set(&p, w, 0), w == NFPCHAN_WAIT_MONITOR ? have : 0);
		if (w != NFPCHAN_WAIT_MONITOR || !have)
			assert_int_equal(policy_get(&p), w);
		kept = p;
		assert_int_equal(policy_set(&p, w, -1), -EINVAL);
		assert_memory_equal(&p, &kept, sizeof(p));
	}
	assert_int_equal(policy_set(&p, NFPCHAN_WAIT_BEST, 5), 0);
	assert_int_equal(policy_get(&p), have ? NFPCHAN_WAIT_ADAPTIVE : NFPCHAN_WAIT_MONITOR);
	assert_int_equal(p.spin_ns, 5 * US);
	assert_int_equal(policy_set(&p, NFPCHAN_WAIT_BEST + 1, 0), -EINVAL);
	assert_int_equal(policy_set(&p, UINT32_MAX, 0), -EINVAL);
}

/* ---- a monitored cache line ---- */

static _Alignas(64) volatile uint64_t line[8];
static volatile bool stop;

static bool line_written(void *arg)
{
	return line[0] != *(uint64_t *)arg;
}

static void *writer(void *arg)
{
	while (!stop)
		line[0]++;
	return NULL;
}

/* The line is written before the wait or during it: the wait ends in both cases. */
static void monitored(void **state)
{
	uint64_t seen = 0;
	pthread_t t;

	line[0] = 1;
	monitor_wait(line, line_written, &seen, UINT64_MAX);
	pthread_create(&t, NULL, writer, NULL);
	for (int i = 0; i < 10000; i++) {
		seen = line[0];
		while (!line_written(&seen))
			monitor_wait(line, line_written, &seen, UINT64_MAX);
	}
	stop = true;
	pthread_join(t, NULL);
	seen = line[0];
	monitor_wait(line, line_written, &seen, 1000);
}

/* ---- the library's calls over the firmware ---- */

/*
 * Wait only by watching, with each policy that can: a message for each signal, nothing armed, no
 * interrupt. There is no kernel, so a call that slept would fail.
 */
static void watch_only(void **state)
{
	static const uint32_t policy[] = { NFPCHAN_WAIT_SPIN, NFPCHAN_WAIT_MONITOR,
					   NFPCHAN_WAIT_BEST };
	static struct stress_card card;
	struct nfpchan_case one = { .guard = 1 };
	struct nfpchan_stats st = { .size = sizeof(st) };
	uint64_t msg, due = 0;
	struct port *p;

	stress_start(&card);
	p = port_open(&card, 0, CHAN_ID_TICK, 12, 0, 0);
	one.ch = &p->ch;
	for (unsigned int k = 0; k < 3; k++) {
		/* The adaptive policy has a bound: take one that is long enough on any machine. */
		int err = nfpchan_set_wait(&p->ch, policy[k],
					   policy[k] == NFPCHAN_WAIT_BEST ? INT32_MAX : 0);

		if (policy[k] == NFPCHAN_WAIT_MONITOR && err == -EOPNOTSUPP)
			continue;
		assert_int_equal(err, 0);
		/*
		 * The adaptive policy watches its first wait for the whole bound, so test one wait
		 * only.
		 */
		for (unsigned int i = 0; i < (policy[k] == NFPCHAN_WAIT_BEST ? 1 : 100); i++) {
			one.buf = i % 3 ? &msg : NULL;
			one.len = sizeof(msg);
			card_lock(&card);
			fw_signal(&card.h, CHAN_ID_TICK);
			card_unlock(&card);
			if (i % 2)
				assert_int_equal(nfpchan_select(&one, 1, NFPCHAN_FOREVER), 0);
			if (i % 2 == 0 || !one.buf)
				assert_int_equal(nfpchan_recv(&p->ch, &msg, 8, NFPCHAN_FOREVER), 8);
			assert_int_equal(msg, ++due);
		}
		assert_int_equal(nfpchan_recv(&p->ch, &msg, 8, 1000), -ETIMEDOUT);
	}
	stress_quiet(&card);
	assert_int_equal(nfpchan_stats(&p->ch, &st), 0);
	assert_int_equal(st.arms, 0);
	assert_int_equal(st.sleeps, 0);
	assert_int_equal(irqs(&p->end), 0);
	fw_host_stop(&card.h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_waits_are_watched),
		cmocka_unit_test(long_waits_are_slept_for),
		cmocka_unit_test(changes_are_learned),
		cmocka_unit_test(one_is_not_all),
		cmocka_unit_test(policies),
		UNLESS(monitor_able() ? NULL : "this CPU has neither UMWAIT nor MWAITX", monitored),
		cmocka_unit_test(watch_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
