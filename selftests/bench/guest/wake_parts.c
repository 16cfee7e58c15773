// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * wake_parts.c - the parts of a wake-up: how long from the interrupt until the kernel wakes the
 * receiver, until the scheduler runs it, and until its system call returns. The kernel's
 * tracepoints have the times. They are those of an emulated CPU, with the cost of the tracepoints.
 *
 * The receiver waits by ppoll() on the channel, or by poll() on an eventfd.
 */
#define _GNU_SOURCE
#include <errno.h>
#include "wake.h"

#define TRACE	"/sys/kernel/tracing/instances/wake"
#define MANY	200
#define ROUNDS	50
#define NEVER	(-1.0)

enum moment { IRQ, WAKING, RUNS, RETURNS, MOMENTS };

static const char *const events[MOMENTS] = {
	[IRQ] = "irq/irq_handler_entry",
	[WAKING] = "sched/sched_waking",
	[RUNS] = "sched/sched_switch",
	[RETURNS] = "raw_syscalls/sys_exit",
};


static void event_put(enum moment m, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), TRACE "/events/%s/%s", events[m], file);
	file_put(path, text);
}

/* The file that shows the events is emptied when it is opened for writing. */
static void trace_clear(void)
{
	int fd = open(TRACE "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		die(TRACE "/trace");
	close(fd);
}

/* Trace interrupts of the module, and this thread. */
static void trace_open(void)
{
	char filter[96];
	int tid = gettid();

	if (mkdir(TRACE, 0700) && errno != EEXIST)
		die(TRACE);
	file_put(TRACE "/trace_clock", "mono");
	file_put(TRACE "/tracing_on", "0");
	event_put(IRQ, "filter", "name ~ \"nfp_chan*\"");
	snprintf(filter, sizeof(filter), "pid == %d", tid);
	event_put(WAKING, "filter", filter);
	snprintf(filter, sizeof(filter), "next_pid == %d", tid);
	event_put(RUNS, "filter", filter);
	snprintf(filter, sizeof(filter), "common_pid == %d && (id == %d || id == %d)", tid,
		 SYS_ppoll, SYS_poll);
	event_put(RETURNS, "filter", filter);
	for (enum moment m = 0; m < MOMENTS; m++)
		event_put(m, "enable", "1");
}

/* Return the moment that a line of the trace is of, or MOMENTS. *@us: its time in microseconds. */
static enum moment moment_of(const char *line, double *us)
{
	enum moment m;
	const char *at = NULL;
	char name[64];

	for (m = 0; m < MOMENTS; m++) {
		snprintf(name, sizeof(name), ": %s", strchr(events[m], '/') + 1);
		at = strstr(line, name);
		if (at)
			break;
	}
	if (!at)
		return MOMENTS;
	while (at > line && at[-1] != ' ')
		at--;
	*us = atof(at) * 1e6;
	return m;
}

/* Wake-ups that have all of their parts: microseconds of each part */
static struct {
	double took[RETURNS][MANY];
	int n;
} found;

/* Add the wake-ups in the trace that have all parts, in order. */
static void collect(void)
{
	double at[MOMENTS] = { NEVER, NEVER, NEVER, NEVER }, us;
	FILE *f = fopen(TRACE "/trace", "r");
	char line[512];

	if (!f)
		die(TRACE "/trace");
	while (fgets(line, sizeof(line), f) && found.n < MANY) {
		enum moment m = moment_of(line, &us);

		if (m == MOMENTS || (m != IRQ && at[m - 1] == NEVER))
			continue;
		at[m] = us;
		for (enum moment later = m + 1; later < MOMENTS; later++)
			at[later] = NEVER;
		if (m != RETURNS)
			continue;
		for (int i = 0; i < RETURNS; i++)
			found.took[i][found.n] = at[i + 1] - at[i];
		found.n++;
		/* The next wake-up begins with an interrupt. */
		for (m = IRQ; m < MOMENTS; m++)
			at[m] = NEVER;
	}
	fclose(f);
}

/* A message that comes before the receiver sleeps is no wake-up, so there are several rounds. */
static void measure(const char *way, void (*wake)(void *arg), void *arg)
{
	static const char *const names[RETURNS] = { "interrupt", "schedule", "return" };

	found.n = 0;
	for (int round = 0; found.n < MANY && round < ROUNDS; round++) {
		trace_clear();
		file_put(TRACE "/tracing_on", "1");
		for (int i = 0; i < MANY; i++)
			wake(arg);
		file_put(TRACE "/tracing_on", "0");
		collect();
	}
	is(found.n, MANY, way);
	for (int i = 0; found.n && i < RETURNS; i++) {
		qsort(found.took[i], (size_t)found.n, sizeof(double), wake_less);
		printf("# wakepart_%s_%s_us_median %.5g\n", way, names[i],
		       found.took[i][found.n / 2]);
	}
}

int main(void)
{
	int efd = eventfd(0, EFD_NONBLOCK);

	card_start();
	trace_open();
	wake_tx = chan_start("echo-in", SPIN_LONG);
	wake_rx = chan_start_with("echo-out",
				  OPTS(.flags = NFPCHAN_ALONE, .wait = NFPCHAN_WAIT_SLEEP));
	measure("ppoll", wake_by_recv, NULL);
	nfpchan_eventfd(wake_rx, efd);
	measure("eventfd", wake_by_eventfd, &efd);
	nfpchan_close(wake_rx);
	nfpchan_close(wake_tx);
	close(efd);
	rmdir(TRACE);
	return tap_done();
}
