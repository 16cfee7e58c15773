// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* soak_latency.c - round-trip times of elements, and reasons for the longest. */
#define _GNU_SOURCE
#include <pthread.h>
#include "soak.h"

static unsigned int latency_bucket(uint64_t ns)
{
	unsigned int e = ns < 8 ? 0 : 63 - __builtin_clzll(ns) - 2;

	return e ? e * 8 + (ns >> (e - 1)) % 8 : ns;
}

/* Return the smallest value of a bucket. */
static uint64_t latency_value(unsigned int bucket)
{
	unsigned int e = bucket / 8;

	return e ? (8ull + bucket % 8) << (e - 1) : bucket;
}

/* Return the time that this thread has waited for a CPU, from schedstat. */
int64_t run_delay(int fd)
{
	char text[128] = "";
	long long ran, waited = 0;

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0 ||
	    sscanf(text, "%lld %lld", &ran, &waited) != 2)
		return 0;
	return waited;
}

static int64_t still_between(const struct latency *l, int64_t from, int64_t to)
{
	int64_t most = 0;

	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		int64_t sum = 0;

		for (unsigned int i = 0; i < HICCUPS; i++) {
			struct hiccup h = l->hiccup[cpu][i];

			h.from = h.from > from ? h.from : from;
			h.to = h.to < to ? h.to : to;
			sum += h.to > h.from ? h.to - h.from : 0;
		}
		most = sum > most ? sum : most;
	}
	return most;
}

/* Add a round trip. The longest are kept with the times in which they were held up. */
void latency_add(struct latency *l, int64_t at, int64_t ns, int64_t waited)
{
	struct outlier *least = &l->worst[0];

	atomic_fetch_add(&l->bucket[latency_bucket(ns) % 512], 1);
	atomic_fetch_add(&l->count, 1);
	for (unsigned int i = 1; i < WORST; i++)
		if (l->worst[i].ns < least->ns)
			least = &l->worst[i];
	if (ns > least->ns)
		*least = (struct outlier){ at, ns, waited, still_between(l, at, at + ns) };
}

static uint64_t latency_at(const struct latency *l, double share)
{
	uint64_t want = l->count * share, sum = 0;
	unsigned int i;

	for (i = 0; i < 511; i++) {
		sum += l->bucket[i];
		if (sum > want)
			break;
	}
	return latency_value(i);
}

void latency_show(const struct latency *l)
{
	uint64_t p99 = latency_at(l, 0.99);
	unsigned int i, outliers = 0, open = 0;
	int64_t max = 0;

	for (i = 0; i < WORST; i++)
		max = l->worst[i].ns > max ? l->worst[i].ns : max;
	printf("# latency there and back: %llu, p50 %llu us, p99 %llu us, p99.9 %llu us, max %lld us\n",
	       (unsigned long long)l->count, (unsigned long long)latency_at(l, 0.5) / 1000,
	       (unsigned long long)p99 / 1000, (unsigned long long)latency_at(l, 0.999) / 1000,
	       (long long)max / 1000);
	for (i = 0; i < WORST; i++) {
		const struct outlier *o = &l->worst[i];
		int64_t known = o->waited > o->still ? o->waited : o->still;
		/* The rest, which neither the scheduler nor the vCPU explains, must be short. */
		bool explained = o->ns - known <= 10 * (int64_t)p99;

		if (o->ns <= 10 * (int64_t)p99)
			continue;
		outliers++;
		open += !explained;
		printf("# outlier of %lld us: %lld us runnable and not running, %lld us a vCPU stood still%s\n",
		       (long long)o->ns / 1000, (long long)o->waited / 1000,
		       (long long)o->still / 1000,
		       explained ? "" : ": not explained by the guest");
	}
	/* Times are never asserted: a reader of the output has to judge them. */
	printf("# outliers: %u of the %d longest, %u of them not explained by the guest\n",
	       outliers, WORST, open);
}

static void *watch_cpu(void *arg)
{
	struct latency *l = &soak->latency;
	uintptr_t cpu = (uintptr_t)arg;
	struct sched_param real_time = { .sched_priority = 1 };
	struct timespec ms = { .tv_nsec = 1000000 };
	int64_t from, to;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_setscheduler(0, SCHED_FIFO, &real_time);
	/* How much longer than 1 ms the sleep takes is what this measures. */
	while (traffic->halt != TRAFFIC_LEAVES) {
		from = now_ns();
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
		to = now_ns();
		if (to - from > 2000000)
			l->hiccup[cpu][atomic_fetch_add(&l->hiccups[cpu], 1) % HICCUPS] =
				(struct hiccup){ from, to };
	}
	return NULL;
}

void latency_begin(void)
{
	pthread_t watch;

	for (uintptr_t cpu = 0; cpu < 2; cpu++)
		pthread_create(&watch, NULL, watch_cpu, (void *)cpu);
}
