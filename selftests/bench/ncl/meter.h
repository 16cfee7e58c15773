/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * meter.h - measure what a process and its machine use between two moments.
 *
 * The process's CPU time is that of getrusage(), user and system. It includes the softirqs that
 * ran in the process's context, because this kernel does not account them separately. `irq` is the
 * time that all CPUs spent in interrupts and softirqs, `idle` the time that they were idle.
 */
#ifndef NCL_METER_H
#define NCL_METER_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct meter {
	uint64_t ns, cpu_us;
	unsigned long idle, irq;	/* ticks, the sum of all CPUs */
};

static inline uint64_t meter_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t meter_cpu_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec;
}

static inline void meter_ticks(struct meter *m)
{
	unsigned long idle, iowait, irq, softirq;
	FILE *f = fopen("/proc/stat", "r");

	if (f && fscanf(f, "cpu %*u %*u %*u %lu %lu %lu %lu", &idle, &iowait, &irq, &softirq) == 4) {
		m->idle = idle + iowait;
		m->irq = irq + softirq;
	}
	if (f)
		fclose(f);
}

static inline void meter_begin(struct meter *m)
{
	*m = (struct meter){ 0 };
	meter_ticks(m);
	m->cpu_us = meter_cpu_us();
	m->ns = meter_now();
}

/* Print a line for measure: the two moments, and the CPU times between them. */
static inline void meter_end(const struct meter *from, const char *what)
{
	struct meter to = { .ns = meter_now(), .cpu_us = meter_cpu_us() };
	long hz = sysconf(_SC_CLK_TCK);

	meter_ticks(&to);
	printf("%s {\"begin\": %.6f, \"end\": %.6f, \"cpu\": %.6f, \"idle\": %.3f, \"irq\": %.3f}\n",
	       what, (double)from->ns / 1e9, (double)to.ns / 1e9,
	       (double)(to.cpu_us - from->cpu_us) / 1e6, (double)(to.idle - from->idle) / (double)hz,
	       (double)(to.irq - from->irq) / (double)hz);
	fflush(stdout);
}

#endif /* NCL_METER_H */
