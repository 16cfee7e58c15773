/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * meter.h - what a process and its machine have used between two moments.
 *
 * CPU time of the process is getrusage()'s, user and system. It has the softirqs that ran in its
 * context as well: this kernel does not account them apart. `irq` are the machine's ticks of
 * interrupts and softirqs, `idle` those in which a CPU had nothing to do.
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
	unsigned long idle, irq;	/* ticks of the system's, of all CPUs */
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

/* A line for measure: the moments, and the CPU time between them */
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
