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
#include "chan_test.h"

#define TRACE	"/sys/kernel/tracing/instances/wake"
#define MANY	200
#define NEVER	(-1.0)

enum moment { IRQ, WAKING, RUNS, RETURNS, MOMENTS };

static const char *const events[MOMENTS] = {
	[IRQ] = "irq/irq_handler_entry",
	[WAKING] = "sched/sched_waking",
	[RUNS] = "sched/sched_switch",
	[RETURNS] = "raw_syscalls/sys_exit",
};

static struct nfpchan *tx, *rx;

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
		/* The tracepoint of system calls has its number in place of the name. */
		at = strstr(line, m == RETURNS ? ": sys_exit" : name);
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

static int less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const char *way, const char *part, double *took, int n)
{
	qsort(took, (size_t)n, sizeof(took[0]), less);
	printf("# wakepart_%s_%s_us_median %.5g\n", way, part, took[n / 2]);
}

/* Print the parts of the wake-ups in the trace that have all of them in order. */
static void parts(const char *way)
{
	static const char *const names[] = { "interrupt", "schedule", "return" };
	static double took[RETURNS][MANY];
	double at[MOMENTS] = { NEVER, NEVER, NEVER, NEVER }, us;
	FILE *f = fopen(TRACE "/trace", "r");
	char line[512];
	int n = 0;

	if (!f)
		die(TRACE "/trace");
	while (fgets(line, sizeof(line), f) && n < MANY) {
		enum moment m = moment_of(line, &us);

		if (m == MOMENTS)
			continue;
		if (m != IRQ && at[m - 1] == NEVER)
			continue;
		at[m] = us;
		for (enum moment later = m + 1; later < MOMENTS; later++)
			at[later] = NEVER;
		if (m != RETURNS)
			continue;
		for (int i = 0; i < RETURNS; i++)
			took[i][n] = at[i + 1] - at[i];
		n++;
		at[IRQ] = NEVER;
	}
	fclose(f);
	ok(n >= MANY / 4, "%s: wake-ups were traced", way);
	for (int i = 0; n && i < RETURNS; i++)
		print(way, names[i], took[i], n);
}

static void request(void)
{
	static const uint8_t buf[64];

	if (nfpchan_send(tx, buf, sizeof(buf), WAIT_NS))
		give_up("echo-in", "not sent");
}

static bool take(void)
{
	uint8_t buf[MSG_MAX];

	return nfpchan_recv(rx, buf, sizeof(buf), NFPCHAN_NONBLOCK) == 64;
}

static void by_ppoll(int fd)
{
	uint8_t buf[MSG_MAX];

	(void)fd;
	request();
	if (nfpchan_recv(rx, buf, sizeof(buf), WAIT_NS) != 64)
		give_up("echo-out", "not received");
}

static void by_eventfd(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	eventfd_t n;

	nfpchan_arm(rx);
	request();
	while (!take())
		if (poll(&pfd, 1, WAIT_MS) != 1 || eventfd_read(fd, &n))
			give_up("eventfd", "not signalled");
}

static void measure(const char *way, void (*wake)(int fd), int fd)
{
	for (int i = 0; i < MANY / 4; i++)
		wake(fd);
	trace_clear();
	file_put(TRACE "/tracing_on", "1");
	for (int i = 0; i < MANY; i++)
		wake(fd);
	file_put(TRACE "/tracing_on", "0");
	parts(way);
}

int main(void)
{
	int efd = eventfd(0, EFD_NONBLOCK);

	card_start();
	trace_open();
	tx = chan_start("echo-in", SPIN_LONG);
	rx = chan_start_with("echo-out", OPTS(.flags = NFPCHAN_ALONE, .wait = NFPCHAN_WAIT_SLEEP));
	measure("ppoll", by_ppoll, -1);
	nfpchan_eventfd(rx, efd);
	measure("eventfd", by_eventfd, efd);
	nfpchan_close(rx);
	nfpchan_close(tx);
	close(efd);
	rmdir(TRACE);
	return tap_done();
}
