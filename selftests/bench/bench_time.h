/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_time.h - time, rates, threads and output, for all benchmarks.
 *
 * A figure is the best of several short runs, because other work on the machine can only make a
 * run slower. The program sleeps between figures, so that the machine's other work goes on even if
 * the program has real-time priority (scripts/bench gives it).
 *
 * Results are lines "KEY VALUE". Lines that begin with # are for people.
 */
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#ifndef _GNU_SOURCE
#error "bench_time.h sets CPUs of threads: define _GNU_SOURCE before the first include"
#endif

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"

#define BENCH_RUNS	5

/* Length of a run: the program's first argument. */
static double bench_seconds = 0.05;

/* Sums of data that was read go here, so that the compiler cannot leave out the reads. */
static uint64_t bench_sink;

static inline double bench_now(void)
{
	return (double)now_ns() / 1e9;
}

/* Find the @n-th CPU that the process may use, or all its CPUs if there are fewer. */
static inline void bench_cpu(int n, cpu_set_t *one)
{
	static cpu_set_t all;
	static int have;

	if (!have) {
		sched_getaffinity(0, sizeof(all), &all);
		have = 1;
	}
	*one = all;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all) || n--)
			continue;
		CPU_ZERO(one);
		CPU_SET(cpu, one);
		return;
	}
}

/*
 * Start a thread on the second CPU. The thread has this CPU before it first runs, because the
 * first CPU may be busy and never run it.
 */
static inline pthread_t bench_thread(void *(*fn)(void *arg), void *arg)
{
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t cpu;

	bench_cpu(1, &cpu);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(cpu), &cpu);
	if (pthread_create(&thread, &attr, fn, arg)) {
		perror("pthread_create");
		exit(1);
	}
	pthread_attr_destroy(&attr);
	return thread;
}

static inline void bench_args(int argc, char **argv)
{
	cpu_set_t cpu;

	if (argc > 1)
		bench_seconds = atof(argv[1]);
	if (bench_seconds <= 0 || argc > 2) {
		fprintf(stderr, "usage: %s [SECONDS]\n", argv[0]);
		exit(2);
	}
	bench_cpu(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
}

/* Do some work. Return how much: messages, bytes, or another unit of the rate. */
typedef uint64_t (*bench_step)(void *ctx);

/* Return units a second. The first run fills the caches and does not count. */
static inline double bench_rate(bench_step step, void *ctx)
{
	double best = 0;

	for (int run = 0; run <= BENCH_RUNS; run++) {
		double start = bench_now(), end;
		uint64_t units = 0;

		do {
			for (int i = 0; i < 64; i++)
				units += step(ctx);
			end = bench_now();
		} while (end - start < bench_seconds);
		if (run && (double)units / (end - start) > best)
			best = (double)units / (end - start);
	}
	return best;
}

/*
 * Read all bytes, in multiples of 256, with the CPU's widest loads, as memcpy() does. There are
 * four sums, so that additions do not wait for each other.
 */
typedef uint64_t bench_vec __attribute__((vector_size(64), aligned(8), may_alias));

static inline __attribute__((target_clones("avx512f", "avx2", "default")))
void bench_read(const void *data, size_t len)
{
	const bench_vec *v = data;
	bench_vec a = { 0 }, b = a, c = a, d = a;

	for (; len >= 256; len -= 256, v += 4) {
		a += v[0];
		b += v[1];
		c += v[2];
		d += v[3];
	}
	a += b + c + d;
	for (int i = 0; i < 8; i++)
		bench_sink += a[i];
}

/* The same, in multiples of 64, by instructions that every x86-64 CPU has: for counts of them. */
typedef uint64_t bench_vec16 __attribute__((vector_size(16), aligned(8), may_alias));

static __attribute__((noinline, unused)) void bench_read16(const void *data, size_t len)
{
	const bench_vec16 *v = data;
	bench_vec16 a = { 0 }, b = a, c = a, d = a;

	for (; len >= 64; len -= 64, v += 4) {
		a += v[0];
		b += v[1];
		c += v[2];
		d += v[3];
	}
	a += b + c + d;
	bench_sink += a[0] + a[1];
}

static inline void bench_print(const char *key, double value)
{
	printf("%s %.5g\n", key, value);
	fflush(stdout);
	usleep(100000);
}

/*
 * Pause between two looks at a ring of which the caller wants many messages. A thread that looks
 * less often finds more at a time, and takes the cache line less often from the thread that writes
 * it. The pause is as long as in the library's chan_wait.c, so that peers wait as the library does.
 */
static inline void bench_pause(void)
{
	for (int i = 0; i < 32; i++)
		__builtin_ia32_pause();
}

/* ---- a second thread that repeats a step ---- */

/**
 * struct bench_peer - the other end of what is measured
 * @step: the step that the thread repeats. It does not wait forever
 * @ctx: for @step
 * @thread: the thread
 * @stop: asks the thread to end
 */
struct bench_peer {
	bench_step step;
	void *ctx;
	pthread_t thread;
	atomic_bool stop;
};

static inline void *bench_peer_run(void *arg)
{
	struct bench_peer *p = arg;

	while (!atomic_load_explicit(&p->stop, memory_order_relaxed))
		p->step(p->ctx);
	return NULL;
}

static inline void bench_peer_start(struct bench_peer *p, bench_step step, void *ctx)
{
	p->step = step;
	p->ctx = ctx;
	atomic_store(&p->stop, false);
	p->thread = bench_thread(bench_peer_run, p);
}

static inline void bench_peer_stop(struct bench_peer *p)
{
	atomic_store(&p->stop, true);
	pthread_join(p->thread, NULL);
}

/* Return the units a second of @recv, while the second thread repeats @send. */
static inline double bench_peer_rate(bench_step send, bench_step recv, void *ctx)
{
	struct bench_peer peer;
	double rate;

	bench_peer_start(&peer, send, ctx);
	rate = bench_rate(recv, ctx);
	bench_peer_stop(&peer);
	return rate;
}

/* ---- round trips ---- */

#define BENCH_SAMPLES	20000

static inline int bench_less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Print median and 99th percentile of a step's time, from the run with the smallest median. */
static inline void bench_latency(const char *name, bench_step step, void *ctx)
{
	static double took[BENCH_SAMPLES];
	double median = 1e9, p99 = 0, start, begin;
	char key[64];
	int n;

	for (int run = 0; run <= BENCH_RUNS; run++) {
		begin = bench_now();
		for (n = 0; n < BENCH_SAMPLES && bench_now() - begin < bench_seconds; n++) {
			start = bench_now();
			step(ctx);
			took[n] = bench_now() - start;
		}
		qsort(took, (size_t)n, sizeof(took[0]), bench_less);
		if (!run || took[n / 2] >= median)
			continue;
		median = took[n / 2];
		p99 = took[n * 99 / 100];
	}
	snprintf(key, sizeof(key), "%s_us_median", name);
	bench_print(key, median * 1e6);
	snprintf(key, sizeof(key), "%s_us_p99", name);
	bench_print(key, p99 * 1e6);
}

#endif /* BENCH_TIME_H */
